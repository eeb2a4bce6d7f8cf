// A program on tensors: one-shot-bufferize makes its buffers first, then the pipeline frees them.
// options: --bufferize
func.func @tensorLevel(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>,
                       %bias: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %products = tensor.empty() : tensor<16x16xf32>
  %cleared = linalg.fill ins(%zero : f32) outs(%products : tensor<16x16xf32>)
    -> tensor<16x16xf32>
  %product = linalg.matmul
    ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>)
    outs(%cleared : tensor<16x16xf32>) -> tensor<16x16xf32>
  %sums = tensor.empty() : tensor<16x16xf32>
  %result = linalg.add
    ins(%product, %bias : tensor<16x16xf32>, tensor<16x16xf32>)
    outs(%sums : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %result : tensor<16x16xf32>
}
