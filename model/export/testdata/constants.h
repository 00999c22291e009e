// Constants of a.usdc, written by Cutaway.

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// v/.points: point3f[], 2 elements
static const float points[][3] = {
    {0.1f, -2.0f, NAN}, {INFINITY, -INFINITY, -0.0f},
};

// v/float: double
static const double float_ = -INFINITY;

// v/halves: half[], 2 elements
// Half-precision numbers, widened exactly.
static const float halves[] = {
    0.099975586f, NAN,
};

// v/matrix: matrix2d
static const double matrix[2][2] = {{1.0, 1e+300}, {0.0, -1e-09}};

// v/big: int64[], 3 elements
static const int64_t big[] = {
    INT64_MIN, INT64_C(9223372036854775807), -1,
};

// v/least: int
static const int32_t least = INT32_MIN;

// v/ids: uint64[], 3 elements
static const uint64_t ids[] = {
    UINT64_C(18446744073709551615), 2147483648u, 0,
};

// v/bytes: uchar[], 1 element
static const uint8_t bytes[] = {
    255,
};

// v/flags: bool[], 2 elements
static const bool flags[] = {
    true, false,
};

// v/names: token[], 3 elements
static const char *const names[] = {
    "a\"\\\n?\?=\303\251\001", "\3770", "",
};

// v/title: string
static const char title[] = "long long long long long long long long long long long long long long long long long long long l"
    "ong long long long long long long long long long long long long long long long long long long lo"
    "ng long ";

// v/what: u8
static const int64_t what = 3 /* Mesh * / 😀 */;

// v/none: float[], 0 elements
// C has no arrays of length 0.

// v/raw: 29 bytes
static const uint8_t raw[] = {
    0x00, 0x01, 0x22, 0x5c, 0x61, 0x7a, 0xc3, 0xa9, 0x3f, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78,
    0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78, 0x78,
};

// v/empty: 0 bytes
// C has no arrays of length 0.

// v/points: int2[], 1 element
static const int32_t points_2[][2] = {
    {1, 2},
};

// v/[7]: bits
static const uint64_t root_7 = 5;

// v/many: int[], 60 elements
static const int32_t many[] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
    26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49,
    50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
};
