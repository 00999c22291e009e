# Constants of a.usdc, written by Cutaway.

# v/.points: point3f[], 2 elements
points = [
    (0.1, -2.0, float("nan")), (float("+inf"), float("-inf"), -0.0),
]

# v/float: double
float_ = float("-inf")

# v/halves: half[], 2 elements
halves = [
    0.099975586, float("nan"),
]

# v/matrix: matrix2d
matrix = ((1.0, 1e+300), (0.0, -1e-09))

# v/big: int64[], 3 elements
big = [
    -9223372036854775808, 9223372036854775807, -1,
]

# v/least: int
least = -2147483648

# v/ids: uint64[], 3 elements
ids = [
    18446744073709551615, 2147483648, 0,
]

# v/bytes: uchar[], 1 element
bytes = [
    255,
]

# v/flags: bool[], 2 elements
flags = [
    True, False,
]

# v/names: token[], 3 elements
names = [
    "a\"\\\n??=é\x01", b"\xff0", "",
]

# v/title: string
title = "long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long "

# v/what: u8
what = 3  # Mesh */ 😀

# v/none: float[], 0 elements
none = []

# v/raw: 29 bytes
raw = (
    b"\x00\x01\"\\az\xc3\xa9?xxxxxxx"
    b"xxxxxxxxxxxxx"
)

# v/empty: 0 bytes
empty = (
    b""
)

# v/points: int2[], 1 element
points_2 = [
    (1, 2),
]

# v/[7]: bits
root_7 = 5

# v/many: int[], 60 elements
many = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
    26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49,
    50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
]
