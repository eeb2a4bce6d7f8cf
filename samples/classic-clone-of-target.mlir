// A copy that is all that is kept (@writeThenCopy fills one buffer and returns it), and one that is freed itself (@freedTarget uses what was copied). Behind the pass 2 clones and 2 deallocs, in the end 0 and 0.
// options: --pipeline=classic
func.func @writeThenCopy(%in: memref<16xf32>) -> memref<16xf32> {
  %temporary = memref.alloc() : memref<16xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
                                   affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]}
      ins(%in : memref<16xf32>) outs(%temporary : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %e = math.exp %x : f32
    linalg.yield %e : f32
  }
  %result = bufferization.clone %temporary : memref<16xf32> to memref<16xf32>
  return %result : memref<16xf32>
}

func.func @freedTarget(%in: memref<16xf32>, %out: memref<16xf32>) {
  %copy = bufferization.clone %in : memref<16xf32> to memref<16xf32>
  memref.copy %copy, %out : memref<16xf32> to memref<16xf32>
  return
}
