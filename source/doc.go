// Package source opens files for reading at any offset, and derives sources from others: joined parts and decompressed
// bytes.
//
// # Reading files
//
// A file is mapped into memory, and ReadAt copies bytes out of the mapping, which is never exposed. If the file is
// truncated meanwhile, an access to a lost page raises SIGBUS. The copy therefore runs under debug.SetPanicOnFault, which
// applies to the calling goroutine only. The panic is recovered only if the address lies in the mapping, so that faults
// of the program are not hidden. After a fault the bytes are read again through the file's handle, which determines the
// error: ErrShrunk, or that of the storage. The last page of a file that has shrunk does not fault, but reads as zeros
// after the new end. So a read that ends in a zero byte on a page that ends in one checks the file's size. Readers hold
// a read lock, so that Close unmaps under none.
//
// Files are mapped with syscall.Mmap if it exists: golang.org/x/exp/mmap hides the address range, which is needed to
// check a fault, and opens the path a second time. Windows maps nothing: a mapping would keep others from writing,
// shortening and replacing the file.
//
// Options.Pread reads through a cache of 64 blocks of 64 KiB for each file. It is for files on a network, where a mapping
// stalls or faults with the connection, and for files that cannot be mapped.
//
// Measured on 2 cores of a Xeon, Linux, Go 1.26, 16 MiB in the page cache, random offsets in 2 MiB, medians:
//
//	            64 bytes   4 KiB
//	mapped         34 ns   239 ns
//	blocks         62 ns   262 ns
//	plain pread   300 ns
//
// Of the 34 ns, the guard costs 9 and the lock 15; in return no file can crash the program. Mapping is fastest at every
// size, keeps no second copy of the system's cache, and needs no tuning.
//
// # Compressed bytes
//
// One cache holds the decompressed bytes of all documents (Cached), 192 MiB unless SetCacheLimit changes it. The least
// recently used are dropped, and made again when they are read. Sources larger than the cache use a temporary file.
// Sizes claimed by files take no memory: buffers grow with the actual output.
//
// LZ4 is first walked by this package, sequence by sequence, since github.com/pierrec/lz4 reports neither the position
// of a fault nor the size of the valid output. The walker copies nothing. It measures the output, so that only actual
// output takes memory, and locates the fault. It maps output to literals and matches (NewLZ4Mapping, LZ4Sequences), with
// 16 bytes for every 1024 sequences. CopyLZ4 decodes while it walks. Frames are parsed here for the same reason, and their
// blocks decoded one by one by the library. MB of output per second, on Go sources (310,000 sequences) and mixed
// bytes with long matches:
//
//	                Go sources   mixed
//	walk                  1640    5990
//	pierrec alone         1650    2660
//
// zstd, gzip, zlib and deflate are decoded by github.com/klauspost/compress, with the valid part kept. If a zstd header
// claims a window beyond the size of the following blocks, the window is reduced before the decoder allocates it.
package source
