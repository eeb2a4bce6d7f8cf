// args: --ownership-based-buffer-deallocation
// then: \^bb1\(%(\d+): memref<4xf32>, %(\d+): i1\)
// then: extract_strided_metadata %alloc :
// then: extract_strided_metadata %\d+ :
// then: bufferization\.dealloc
func.func @both(%m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.br ^bb1(%m : memref<4xf32>)
^bb1(%x: memref<4xf32>):
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  return
}
