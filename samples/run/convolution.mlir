// A convolution and a pooling behind it: the image is padded first, or taken as it
// is, so that only run time knows whether there is a padded one to deallocate.
func.func @convolution(%image: memref<1x1x10x10xf32>, %kernel: memref<4x1x3x3xf32>,
                       %pads: i1) -> memref<1x4x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = scf.if %pads -> memref<1x1x10x10xf32> {
    %border = memref.alloc() : memref<1x1x10x10xf32>
    linalg.fill ins(%zero : f32) outs(%border : memref<1x1x10x10xf32>)
    %from = memref.subview %image[0, 0, 1, 1] [1, 1, 8, 8] [1, 1, 1, 1]
        : memref<1x1x10x10xf32> to memref<1x1x8x8xf32, strided<[100, 100, 10, 1], offset: 11>>
    %inside = memref.subview %border[0, 0, 1, 1] [1, 1, 8, 8] [1, 1, 1, 1]
        : memref<1x1x10x10xf32> to memref<1x1x8x8xf32, strided<[100, 100, 10, 1], offset: 11>>
    memref.copy %from, %inside
        : memref<1x1x8x8xf32, strided<[100, 100, 10, 1], offset: 11>>
          to memref<1x1x8x8xf32, strided<[100, 100, 10, 1], offset: 11>>
    scf.yield %border : memref<1x1x10x10xf32>
  } else {
    scf.yield %image : memref<1x1x10x10xf32>
  }
  %features = memref.alloc() : memref<1x4x8x8xf32>
  linalg.fill ins(%zero : f32) outs(%features : memref<1x4x8x8xf32>)
  linalg.conv_2d_nchw_fchw
      ins(%padded, %kernel : memref<1x1x10x10xf32>, memref<4x1x3x3xf32>)
      outs(%features : memref<1x4x8x8xf32>)
  %window = memref.alloc() : memref<2x2xf32>
  %pooled = memref.alloc() : memref<1x4x4x4xf32>
  linalg.fill ins(%zero : f32) outs(%pooled : memref<1x4x4x4xf32>)
  linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>}
      ins(%features, %window : memref<1x4x8x8xf32>, memref<2x2xf32>)
      outs(%pooled : memref<1x4x4x4xf32>)
  return %pooled : memref<1x4x4x4xf32>
}
