// bufferization.manual_deallocation: the marked pair is left to the author; everything else is freed as usual.
func.func @manualDeallocation(%input: memref<8xf32>, %output: memref<8xf32>) {
  %manual = memref.alloc() {bufferization.manual_deallocation} : memref<8xf32>
  %automatic = memref.alloc() : memref<8xf32>
  memref.copy %input, %manual : memref<8xf32> to memref<8xf32>
  memref.copy %manual, %automatic : memref<8xf32> to memref<8xf32>
  memref.dealloc %manual {bufferization.manual_deallocation} : memref<8xf32>
  memref.copy %automatic, %output : memref<8xf32> to memref<8xf32>
  return
}
