package odin

import (
	. "cutaway/decoders/lang"
)

// gzipLanguage describes the frame of a gzip member (RFC 1952). What its flags say comes before the data is part of the data.
var gzipLanguage = &Language{
	Name: "odin", Title: "gzip member", Short: "entry.truncated",
	Records: []*Record{
		NewRecord("gzip",
			F("magic", Bytes("2"), "always 1f 8b"),
			F("method", U8, "how it is compressed; 8: deflate"),
			F("flags", U8, "which optional fields follow"),
			F("time", U32, "seconds since 1970; 0: not recorded"),
			F("extra flags", U8, "of the compressor"),
			F("system", U8, "what the writer's runtime puts there; 3: Unix, 10: TOPS-20, 11: NTFS"),
			F("data", Bytes("left - 8"), "deflate").If("left > 8"), // 8 bytes follow it
			F("crc", U32, "CRC-32 of the inflated bytes"),
			F("size", U32, "inflated bytes, modulo 2^32"),
		),
	},
}
