package checksum

import "math/bits"

// A CRC is a cyclic redundancy check, with its parameters as in the CRC RevEng catalogue
// (https://reveng.sourceforge.io/crc-catalogue/). These are the width in bits, the polynomial without its highest term,
// the register's initial value, and the value combined with the register at the end. If reflected, bits go lowest
// first.
type CRC struct {
	Name      string
	Width     int
	Poly      uint64
	Init      uint64
	Reflected bool
	XorOut    uint64
	Check     uint64 // of the ASCII digits 1 to 9
}

// CRCs are those in use by files and protocols.
var CRCs = []CRC{
	{"CRC-8/SMBUS", 8, 0x7, 0x0, false, 0x0, 0xf4},
	{"CRC-8/I-432-1", 8, 0x7, 0x0, false, 0x55, 0xa1},
	{"CRC-8/ROHC", 8, 0x7, 0xff, true, 0x0, 0xd0},
	{"CRC-8/MAXIM-DOW", 8, 0x31, 0x0, true, 0x0, 0xa1},
	{"CRC-8/NRSC-5", 8, 0x31, 0xff, false, 0x0, 0xf7},
	{"CRC-8/AUTOSAR", 8, 0x2f, 0xff, false, 0xff, 0xdf},
	{"CRC-8/CDMA2000", 8, 0x9b, 0xff, false, 0x0, 0xda},
	{"CRC-8/DARC", 8, 0x39, 0x0, true, 0x0, 0x15},
	{"CRC-8/DVB-S2", 8, 0xd5, 0x0, false, 0x0, 0xbc},
	{"CRC-8/GSM-A", 8, 0x1d, 0x0, false, 0x0, 0x37},
	{"CRC-8/GSM-B", 8, 0x49, 0x0, false, 0xff, 0x94},
	{"CRC-8/HITAG", 8, 0x1d, 0xff, false, 0x0, 0xb4},
	{"CRC-8/I-CODE", 8, 0x1d, 0xfd, false, 0x0, 0x7e},
	{"CRC-8/LTE", 8, 0x9b, 0x0, false, 0x0, 0xea},
	{"CRC-8/MIFARE-MAD", 8, 0x1d, 0xc7, false, 0x0, 0x99},
	{"CRC-8/OPENSAFETY", 8, 0x2f, 0x0, false, 0x0, 0x3e},
	{"CRC-8/SAE-J1850", 8, 0x1d, 0xff, false, 0xff, 0x4b},
	{"CRC-8/TECH-3250", 8, 0x1d, 0xff, true, 0x0, 0x97},
	{"CRC-8/WCDMA", 8, 0x9b, 0x0, true, 0x0, 0x25},
	{"CRC-8/BLUETOOTH", 8, 0xa7, 0x0, true, 0x0, 0x26},
	{"CRC-16/ARC", 16, 0x8005, 0x0, true, 0x0, 0xbb3d},
	{"CRC-16/CDMA2000", 16, 0xc867, 0xffff, false, 0x0, 0x4c06},
	{"CRC-16/CMS", 16, 0x8005, 0xffff, false, 0x0, 0xaee7},
	{"CRC-16/DDS-110", 16, 0x8005, 0x800d, false, 0x0, 0x9ecf},
	{"CRC-16/DECT-R", 16, 0x589, 0x0, false, 0x1, 0x7e},
	{"CRC-16/DECT-X", 16, 0x589, 0x0, false, 0x0, 0x7f},
	{"CRC-16/DNP", 16, 0x3d65, 0x0, true, 0xffff, 0xea82},
	{"CRC-16/EN-13757", 16, 0x3d65, 0x0, false, 0xffff, 0xc2b7},
	{"CRC-16/GENIBUS", 16, 0x1021, 0xffff, false, 0xffff, 0xd64e},
	{"CRC-16/GSM", 16, 0x1021, 0x0, false, 0xffff, 0xce3c},
	{"CRC-16/IBM-3740", 16, 0x1021, 0xffff, false, 0x0, 0x29b1},
	{"CRC-16/IBM-SDLC", 16, 0x1021, 0xffff, true, 0xffff, 0x906e},
	{"CRC-16/ISO-IEC-14443-3-A", 16, 0x1021, 0xc6c6, true, 0x0, 0xbf05},
	{"CRC-16/KERMIT", 16, 0x1021, 0x0, true, 0x0, 0x2189},
	{"CRC-16/LJ1200", 16, 0x6f63, 0x0, false, 0x0, 0xbdf4},
	{"CRC-16/MAXIM-DOW", 16, 0x8005, 0x0, true, 0xffff, 0x44c2},
	{"CRC-16/MCRF4XX", 16, 0x1021, 0xffff, true, 0x0, 0x6f91},
	{"CRC-16/MODBUS", 16, 0x8005, 0xffff, true, 0x0, 0x4b37},
	{"CRC-16/NRSC-5", 16, 0x80b, 0xffff, true, 0x0, 0xa066},
	{"CRC-16/OPENSAFETY-A", 16, 0x5935, 0x0, false, 0x0, 0x5d38},
	{"CRC-16/OPENSAFETY-B", 16, 0x755b, 0x0, false, 0x0, 0x20fe},
	{"CRC-16/PROFIBUS", 16, 0x1dcf, 0xffff, false, 0xffff, 0xa819},
	{"CRC-16/RIELLO", 16, 0x1021, 0xb2aa, true, 0x0, 0x63d0},
	{"CRC-16/SPI-FUJITSU", 16, 0x1021, 0x1d0f, false, 0x0, 0xe5cc},
	{"CRC-16/T10-DIF", 16, 0x8bb7, 0x0, false, 0x0, 0xd0db},
	{"CRC-16/TELEDISK", 16, 0xa097, 0x0, false, 0x0, 0xfb3},
	{"CRC-16/TMS37157", 16, 0x1021, 0x89ec, true, 0x0, 0x26b1},
	{"CRC-16/UMTS", 16, 0x8005, 0x0, false, 0x0, 0xfee8},
	{"CRC-16/USB", 16, 0x8005, 0xffff, true, 0xffff, 0xb4c8},
	{"CRC-16/XMODEM", 16, 0x1021, 0x0, false, 0x0, 0x31c3},
	{"CRC-24/BLE", 24, 0x65b, 0x555555, true, 0x0, 0xc25a56},
	{"CRC-24/FLEXRAY-A", 24, 0x5d6dcb, 0xfedcba, false, 0x0, 0x7979bd},
	{"CRC-24/FLEXRAY-B", 24, 0x5d6dcb, 0xabcdef, false, 0x0, 0x1f23b8},
	{"CRC-24/INTERLAKEN", 24, 0x328b63, 0xffffff, false, 0xffffff, 0xb4f3e6},
	{"CRC-24/LTE-A", 24, 0x864cfb, 0x0, false, 0x0, 0xcde703},
	{"CRC-24/LTE-B", 24, 0x800063, 0x0, false, 0x0, 0x23ef52},
	{"CRC-24/OPENPGP", 24, 0x864cfb, 0xb704ce, false, 0x0, 0x21cf02},
	{"CRC-24/OS-9", 24, 0x800063, 0xffffff, false, 0xffffff, 0x200fa5},
	{"CRC-32/ISO-HDLC", 32, 0x4c11db7, 0xffffffff, true, 0xffffffff, 0xcbf43926},
	{"CRC-32/AIXM", 32, 0x814141ab, 0x0, false, 0x0, 0x3010bf7f},
	{"CRC-32/AUTOSAR", 32, 0xf4acfb13, 0xffffffff, true, 0xffffffff, 0x1697d06a},
	{"CRC-32/BASE91-D", 32, 0xa833982b, 0xffffffff, true, 0xffffffff, 0x87315576},
	{"CRC-32/BZIP2", 32, 0x4c11db7, 0xffffffff, false, 0xffffffff, 0xfc891918},
	{"CRC-32/CD-ROM-EDC", 32, 0x8001801b, 0x0, true, 0x0, 0x6ec2edc4},
	{"CRC-32/CKSUM", 32, 0x4c11db7, 0x0, false, 0xffffffff, 0x765e7680},
	{"CRC-32/ISCSI", 32, 0x1edc6f41, 0xffffffff, true, 0xffffffff, 0xe3069283},
	{"CRC-32/JAMCRC", 32, 0x4c11db7, 0xffffffff, true, 0x0, 0x340bc6d9},
	{"CRC-32/MEF", 32, 0x741b8cd7, 0xffffffff, true, 0x0, 0xd2c22f51},
	{"CRC-32/MPEG-2", 32, 0x4c11db7, 0xffffffff, false, 0x0, 0x376e6e7},
	{"CRC-32/XFER", 32, 0xaf, 0x0, false, 0x0, 0xbd0be338},
	{"CRC-40/GSM", 40, 0x4820009, 0x0, false, 0xffffffffff, 0xd4164fc646},
	{"CRC-64/ECMA-182", 64, 0x42f0e1eba9ea3693, 0x0, false, 0x0, 0x6c40df5f0b497347},
	{"CRC-64/GO-ISO", 64, 0x1b, 0xffffffffffffffff, true, 0xffffffffffffffff, 0xb90956c775a41001},
	{"CRC-64/MS", 64, 0x259c84cba6426349, 0xffffffffffffffff, true, 0x0, 0x75d4b74f024eceea},
	{"CRC-64/NVME", 64, 0xad93d23594c93659, 0xffffffffffffffff, true, 0xffffffffffffffff, 0xae8b14860a799888},
	{"CRC-64/REDIS", 64, 0xad93d23594c935a9, 0x0, true, 0x0, 0xe9c6d914c4b8d9ca},
	{"CRC-64/WE", 64, 0x42f0e1eba9ea3693, 0xffffffffffffffff, false, 0xffffffffffffffff, 0x62ec59e3f1a4f00a},
	{"CRC-64/XZ", 64, 0x42f0e1eba9ea3693, 0xffffffffffffffff, true, 0xffffffffffffffff, 0x995dc9bbdf1939fa},
}

// A crc computes a CRC.
type crc struct {
	of    *CRC
	table *[256]uint64
	reg   uint64 // in the lowest bits if reflected, otherwise in the highest
}

// newTable returns the effect of each byte on the register.
func (c *CRC) newTable() *[256]uint64 {
	var t [256]uint64
	for i := range t {
		if c.Reflected {
			reg, poly := uint64(i), bits.Reverse64(c.Poly)>>(64-c.Width)
			for range 8 {
				reg = reg>>1 ^ poly&-(reg&1)
			}
			t[i] = reg
			continue
		}
		reg, poly := uint64(i)<<56, c.Poly<<(64-c.Width)
		for range 8 {
			reg = reg<<1 ^ poly&-(reg>>63)
		}
		t[i] = reg
	}
	return &t
}

func (c *CRC) begin(table *[256]uint64) hash {
	h := &crc{of: c, table: table}
	if c.Reflected {
		h.reg = bits.Reverse64(c.Init) >> (64 - c.Width)
	} else {
		h.reg = c.Init << (64 - c.Width)
	}
	return h
}

func (h *crc) write(p []byte) {
	reg := h.reg
	if h.of.Reflected {
		for _, b := range p {
			reg = reg>>8 ^ h.table[byte(reg)^b]
		}
	} else {
		for _, b := range p {
			reg = reg<<8 ^ h.table[byte(reg>>56)^b]
		}
	}
	h.reg = reg
}

func (h *crc) sum() uint64 {
	reg := h.reg
	if !h.of.Reflected {
		reg >>= 64 - h.of.Width
	}
	return reg ^ h.of.XorOut
}
