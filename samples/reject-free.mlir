// Rejected: "memory free side-effect on MemRef value not supported!" The input frees a buffer itself.
func.func @free(%input: memref<8xf32>) {
  %buffer = memref.alloc() : memref<8xf32>
  memref.copy %input, %buffer : memref<8xf32> to memref<8xf32>
  memref.copy %buffer, %input : memref<8xf32> to memref<8xf32>
  memref.dealloc %buffer : memref<8xf32>
  return
}
