#include "textflag.h"

// GROUP sets the bytes of fits where, of the 32 offsets from DX plus of on, x and y both fit. SI and DI are at the bytes of xs and ys,
// Y0 and Y2 have the data of x and y in each byte, Y1 and Y3 their masks.
#define GROUP(of, spare, fits) \
	VPAND    of(SI)(DX*1), Y1, fits;  \
	VPCMPEQB fits, Y0, fits;          \
	VPAND    of(DI)(DX*1), Y3, spare; \
	VPCMPEQB spare, Y2, spare;        \
	VPAND    spare, fits, fits

// func firstPair32(xs, ys []byte, fit *[4]byte) int
TEXT ·firstPair32(SB), NOSPLIT, $0-64
	MOVQ         xs_base+0(FP), SI
	MOVQ         xs_len+8(FP), CX
	MOVQ         ys_base+24(FP), DI
	MOVQ         fit+48(FP), AX
	VPBROADCASTB 0(AX), Y0
	VPBROADCASTB 1(AX), Y1
	VPBROADCASTB 2(AX), Y2
	VPBROADCASTB 3(AX), Y3
	XORQ         DX, DX

four:
	LEAQ  128(DX), BX
	CMPQ  BX, CX
	JGT   one
	GROUP(0, Y8, Y4)
	GROUP(32, Y9, Y5)
	GROUP(64, Y10, Y6)
	GROUP(96, Y11, Y7)
	VPOR  Y4, Y5, Y12
	VPOR  Y6, Y7, Y13
	VPOR  Y12, Y13, Y12
	VPTEST Y12, Y12
	JNZ   one
	MOVQ  BX, DX
	JMP   four

one:
	LEAQ      32(DX), BX
	CMPQ      BX, CX
	JGT       over
	GROUP(0, Y8, Y4)
	VPMOVMSKB Y4, AX
	TESTL     AX, AX
	JNZ       hit
	MOVQ      BX, DX
	JMP       one

hit:
	BSFL AX, AX
	ADDQ AX, DX

over:
	VZEROUPPER
	MOVQ DX, ret+56(FP)
	RET
