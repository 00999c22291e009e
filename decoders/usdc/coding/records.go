package coding

import (
	"fmt"

	"cutaway/decoders/grammar"
	. "cutaway/decoders/lang"
	"cutaway/decoders/usda"
)

// The records of chunk containers.
const (
	containerName = "compressed buffer"
	sizedName     = "compressed buffer with its size"
	blockName     = "block"
	blockType     = "LZ4 block" // no frame, no checksum
)

// BufferLanguage describes chunk containers (5.2) of one block. The fields of others depend on their number of blocks (chunked).
var BufferLanguage = &Language{
	Clauses: usda.Clause, Name: "usdc", Title: "compressed buffers of OpenUSD crates", Short: "compress.truncated",
	Records: []*Record{
		NewRecord(containerName, bufferHead(containerName, block(blockName, "left"))...).By("16.3.7.1"),
		NewRecord(sizedName, bufferHead(sizedName, block(blockName, "left"))...).By("16.3.7.1"),
	},
	Rules: []Rule{
		{ID: "compress.size", Standard: "16.3.7.1", On: sizedName + ".size", Kind: Truncated, Holds: "fits", Clause: "5.2"},
		{ID: "compress.chunk-count", Standard: "16.3.7.1",
			On: containerName + ".chunkCount, " + sizedName + ".chunkCount", Holds: "it >= 0", Stops: true, Clause: "5.2",
			Want: "0 to 127", Says: "chunk count {it + 256} is negative as a signed byte"},
	},
}

// bufferHead returns the fields of a container: its size if the name says so, the chunk count, the blocks.
func bufferHead(name string, blocks ...*Field) (fields []*Field) {
	if name == sizedName {
		fields = append(fields, F(sizeName, U64, "bytes of the compressed buffer after it"))
	}
	return append(append(fields, F("chunkCount", I8, "how many sizes and blocks follow; 0: one LZ4 block without a size")), blocks...)
}

// block returns the field of a block.
func block(name string, size E) *Field {
	return F(name, Named(blockType, Bytes(size)), "an LZ4 block: no frame, no checksum")
}

// chunked returns the record of a container of n blocks, each with its size.
func chunked(plan *Plan, name string, n int64) *grammar.Record {
	var fields []*Field
	var rules []Rule
	for i := range n {
		size := fmt.Sprintf("%s~%d", sizeName, i+1)
		fields = append(fields, F(size, I32, "bytes of the block after it"),
			block(fmt.Sprintf("%s~%d", blockName, i+1), E(Underscored(size))))
		rules = append(rules, Rule{ID: "compress.chunk-size", Standard: "16.3.7.1", On: name + "." + size, Holds: "it in 0..room", Stops: true, Want: "0 to {room}",
			Says: fmt.Sprintf("block %d of %d does not fit into the buffer", i+1, n)})
	}
	rec, err := plan.Compile(NewRecord(name, bufferHead(name, fields...)...).By("16.3.7.1"), rules...)
	if err != nil {
		panic(err) // its expressions are numbers and names of its fields
	}
	return rec
}
