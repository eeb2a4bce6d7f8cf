func.func private @same(%t: tensor<8xf32>) -> tensor<8xf32> {
  return %t : tensor<8xf32>
}
func.func @main(%t: tensor<8xf32>, %x: f32, %i: index) -> (f32, f32) {
  %result = call @same(%t) : (tensor<8xf32>) -> tensor<8xf32>
  %same = tensor.cast %result : tensor<8xf32> to tensor<?xf32>
  %new = tensor.insert %x into %same[%i] : tensor<?xf32>
  %now = tensor.extract %new[%i] : tensor<?xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  return %now, %old : f32, f32
}
