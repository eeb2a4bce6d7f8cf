// A perceptron of two layers: each layer has a buffer of its own, and what is
// returned is the caller's.
func.func @mlp(%x: memref<8x16xf32>, %w1: memref<16x32xf32>,
               %w2: memref<32x4xf32>, %relu: i1) -> memref<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %hidden = memref.alloc() : memref<8x32xf32>
  linalg.fill ins(%zero : f32) outs(%hidden : memref<8x32xf32>)
  linalg.matmul ins(%x, %w1 : memref<8x16xf32>, memref<16x32xf32>)
                outs(%hidden : memref<8x32xf32>)
  %active = scf.if %relu -> memref<8x32xf32> {
    %positive = memref.alloc() : memref<8x32xf32>
    linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>,
                         affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%hidden : memref<8x32xf32>) outs(%positive : memref<8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %most = arith.maximumf %in, %zero : f32
      linalg.yield %most : f32
    }
    scf.yield %positive : memref<8x32xf32>
  } else {
    scf.yield %hidden : memref<8x32xf32>
  }
  %y = memref.alloc() : memref<8x4xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<8x4xf32>)
  linalg.matmul ins(%active, %w2 : memref<8x32xf32>, memref<32x4xf32>)
                outs(%y : memref<8x4xf32>)
  return %y : memref<8x4xf32>
}
