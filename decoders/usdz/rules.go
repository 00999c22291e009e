package usdz

import "cutaway/model"

const (
	ruleTruncated    = "usdz.truncated"
	ruleNoMembers    = "usdz.package.no-members"
	ruleRootLayer    = "usdz.package.root-not-a-layer"
	ruleNoLayer      = "usdz.member.not-a-layer"
	ruleAppleDouble  = "usdz.member.apple-double"
	ruleNameFlag     = "usdz.member.name-flag"
	ruleSignature    = "usdz.member.signature"
	ruleData         = "usdz.member.data-out-of-file"
	ruleCompressed   = "usdz.member.compressed"
	ruleEncrypted    = "usdz.member.encrypted"
	ruleDescriptor   = "usdz.member.data-descriptor"
	ruleUnaligned    = "usdz.member.unaligned"
	ruleZip64        = "usdz.member.zip64"
	ruleSizes        = "usdz.member.sizes"
	ruleDuplicate    = "usdz.member.duplicate-name"
	ruleKind         = "usdz.member.kind"
	ruleCRC          = "usdz.member.crc"
	ruleInflate      = "usdz.member.inflate"
	ruleNoDirectory  = "usdz.directory.missing"
	ruleDirectory    = "usdz.directory.differs"
	ruleDirectoryEnd = "usdz.directory.end"
	ruleTrailing     = "usdz.directory.trailing-bytes"
)

var rules = []model.Rule{
	{ID: ruleTruncated, Help: "A record of the zip is cut off."},
	{ID: ruleNoMembers, Help: "A package holds at least one layer."},
	{ID: ruleRootLayer, Help: "The first member is the default layer: .usd, .usda or .usdc, or a package that begins with one."},
	{ID: ruleNoLayer, Help: "What is named .usd, .usda, .usdc or .usdz is a layer or package."},
	{ID: ruleAppleDouble, Help: "The zip program of macOS adds a file of attributes to each, which nothing reads."},
	{ID: ruleNameFlag, Help: "A name with letters beyond ASCII has the flag that says it is UTF-8."},
	{ID: ruleSignature, Help: "Members follow each other without gaps, each beginning with PK 03 04, up to the central directory."},
	{ID: ruleData, Help: "A member's bytes lie inside the file."},
	{ID: ruleCompressed, Help: "Members are stored, not compressed, so that they can be used in place."},
	{ID: ruleEncrypted, Help: "Members are not encrypted."},
	{ID: ruleDescriptor, Help: "Sizes are in the local header, not in a data descriptor after the data."},
	{ID: ruleUnaligned, Help: "A member's data begins at a multiple of 64 bytes; readers read others all the same."},
	{ID: ruleZip64, Help: "Packages do not use the zip64 extension."},
	{ID: ruleSizes, Help: "A stored member is as large uncompressed as it is compressed."},
	{ID: ruleDuplicate, Help: "No two members have one name."},
	{ID: ruleKind, Help: "Members are layers, png, jpeg, exr or avif images, m4a, mp3 or wav sounds, or packages."},
	{ID: ruleCRC, Help: "The CRC-32 of a member's bytes is the one in its header."},
	{ID: ruleInflate, Help: "A compressed member inflates to its uncompressed size."},
	{ID: ruleNoDirectory, Help: "A zip ends with a central directory and its end record."},
	{ID: ruleDirectory, Help: "The central directory says of each member what its local header says."},
	{ID: ruleDirectoryEnd, Help: "The end record tells where the central directory is and how many entries it has."},
	{ID: ruleTrailing, Help: "Nothing follows the end record."},
}
