// Package source opens files so that they can be read at any offset, and derives sources from others: joined parts
// and decompressed bytes.
//
// # Reading files
//
// A file is mapped into memory, and its bytes are copied out by ReadAt; the mapping itself is never handed out. When
// the file is truncated meanwhile, touching the pages that it lost raises SIGBUS. The copy therefore runs under
// debug.SetPanicOnFault, which acts on the calling goroutine only, and the panic is recovered only where the address
// lies in the mapping, so that a real bug still shows. After a fault the bytes are read again through the file's
// handle, which says what is wrong: ErrShrunk, or the storage's own error. The last page of a file that has shrunk
// does not fault but reads as zeros after the new end: a read that ends in a zero byte on a page that ends in one
// asks for the file's size. Readers hold a lock for reading, so Close unmaps under nobody.
//
// The files are mapped with syscall.Mmap where there is one: golang.org/x/exp/mmap hides the address range that the
// check of the fault wants, and opens the path a second time. Windows maps nothing: it would keep everybody from
// writing, shortening and replacing the file while it is open.
//
// Options.Pread reads through a cache of 64 blocks of 64 KiB for each file: for files on a network, whose mapping
// stalls or faults with the connection, and wherever mapping fails.
//
// Measured on 2 cores of a Xeon, Linux, Go 1.26, 16 MiB in the page cache, random offsets in 2 MiB, medians:
//
//	            64 bytes   4 KiB
//	mapped         34 ns   239 ns
//	blocks         62 ns   262 ns
//	plain pread   300 ns
//
// Of the 34, the guard costs 9 and the lock 15, which buys that no file can crash the program. Mapping wins at
// every size, keeps no second copy of what the system caches, and needs no tuning.
//
// # Compressed bytes
//
// Inflated bytes live in one cache for all documents (Cached), 192 MiB unless SetCacheLimit says otherwise: what was
// used longest ago is dropped and made again when it is read. What is larger than the cache goes to a temporary
// file. Sizes that files claim take no memory: buffers grow with what is really made.
//
// LZ4 is walked by ours first, sequence by sequence: github.com/pierrec/lz4 tells neither where a block is broken nor how
// much of the output is good. The walker copies nothing: it measures the output, so that memory is taken for what is
// there, locates the fault, and maps output to literals and matches (NewLZ4Mapping, LZ4Sequences), which need 16 bytes
// for every 1024 sequences. CopyLZ4 decodes as it walks. Frames are taken apart here, for the same reason, and their
// blocks decoded one by one by the library. In MB of output a second, on Go sources (310,000 sequences) and on mixed
// bytes with long matches:
//
//	                Go sources   mixed
//	walk                  1640    5990
//	pierrec alone         1650    2660
//
// zstd, gzip, zlib and deflate are github.com/klauspost/compress, with the good part kept; a window that a zstd header
// claims beyond what the blocks after it can fill is brought down before the decoder takes memory for it.
package source
