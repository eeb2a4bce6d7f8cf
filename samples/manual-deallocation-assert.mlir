// A marked free of a buffer that the pass manages: an assertion is put before it, which fails at run time.
func.func @manualFreeOfManaged(%input: memref<8xf32>, %output: memref<8xf32>) {
  %managed = memref.alloc() : memref<8xf32>
  memref.copy %input, %managed : memref<8xf32> to memref<8xf32>
  memref.copy %managed, %output : memref<8xf32> to memref<8xf32>
  memref.dealloc %managed {bufferization.manual_deallocation} : memref<8xf32>
  return
}
