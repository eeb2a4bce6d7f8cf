// The dealloc_helper: several buffers that nobody can tell apart against several retained ones need the library function.
func.func private @produce(memref<8xf32>)
    -> (memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>)

func.func @helperCall(%input: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %all:4 = call @produce(%input) : (memref<8xf32>)
    -> (memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>)
  return %all#0, %all#2 : memref<8xf32>, memref<8xf32>
}
