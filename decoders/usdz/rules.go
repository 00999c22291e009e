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
	ruleComment      = "usdz.directory.comment"
	ruleDisk         = "usdz.directory.disk"
)

var rules = []model.Rule{
	{ID: ruleTruncated, Clause: "16.4.1", Help: "A record of the zip is cut off."},
	{ID: ruleNoMembers, Clause: "16.4.1.2", Help: "A package holds at least one layer."},
	{ID: ruleRootLayer, Clause: "16.4.1.2", Help: "The first member is the default layer: .usd, .usda or .usdc, or a package that begins with one."},
	{ID: ruleNoLayer, Clause: "16.4.1.5", Help: "What is named .usd, .usda, .usdc or .usdz is a layer or package."},
	{ID: ruleAppleDouble, Clause: "16.4.1.5", Help: "The zip program of macOS adds a file of attributes to each, which nothing reads."},
	{ID: ruleNameFlag, Clause: "16.4.1", Help: "A name with letters beyond ASCII has the flag that says it is UTF-8."},
	{ID: ruleSignature, Clause: "16.4.1", Help: "Members follow each other without gaps, each beginning with PK 03 04, up to the central directory."},
	{ID: ruleData, Clause: "16.4.1", Help: "A member's bytes lie inside the file."},
	{ID: ruleCompressed, Clause: "16.4.1.1", Help: "Members are stored, not compressed, so that they can be used in place."},
	{ID: ruleEncrypted, Clause: "16.4.1.1", Help: "Members are not encrypted."},
	{ID: ruleDescriptor, Clause: "16.4.1", Help: "Sizes are in the local header, not in a data descriptor after the data."},
	{ID: ruleUnaligned, Clause: "16.4.1.3", Forbidden: true, Help: "A member's data begins at a multiple of 64 bytes; readers read others all the same."},
	{ID: ruleZip64, Clause: "16.4.1.1", Help: "Packages do not use the zip64 extension."},
	{ID: ruleSizes, Clause: "16.4.1.1", Help: "A stored member is as large uncompressed as it is compressed."},
	{ID: ruleDuplicate, Clause: "16.4.1", Help: "No two members have one name."},
	{ID: ruleKind, Clause: "16.4.1.5", Help: "Members are layers, png, jpeg, exr or avif images, m4a, mp3 or wav sounds, or packages."},
	{ID: ruleCRC, Clause: "16.4.1", Help: "The CRC-32 of a member's bytes is the one in its header."},
	{ID: ruleInflate, Clause: "16.4.1", Help: "A compressed member inflates to its uncompressed size."},
	{ID: ruleNoDirectory, Clause: "16.4.1.4", Help: "A zip ends with a central directory and its end record."},
	{ID: ruleDirectory, Clause: "16.4.1.2", Help: "The central directory says of each member what its local header says."},
	{ID: ruleDirectoryEnd, Clause: "16.4.1.4", Help: "The end record tells where the central directory is and how many entries it has."},
	{ID: ruleTrailing, Clause: "16.4.1.4", Forbidden: true, Help: "Nothing follows the end record."},
	{ID: ruleComment, Clause: "16.4.1.4", Forbidden: true, Help: "The end record has no comment; readers take one all the same."},
	{ID: ruleDisk, Clause: "16.4.1.4", Forbidden: true, Help: "A package is one file: the numbers of disks are 0; readers ignore them."},
}
