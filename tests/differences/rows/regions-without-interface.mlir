// args: --ownership-based-buffer-deallocation
// then: linalg\.generic
// then: bufferization\.dealloc
#id = affine_map<(d0) -> (d0)>
func.func @adds(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}
