// What one-shot-bufferize makes of tensors: a constant that is written, a loop that reads
// what it overwrites, and a select of two buffers.
// options: --bufferize
func.func @smooth(%state: tensor<1024xf32>, %mask: tensor<1024xf32>, %reset: i1,
                  %x: f32, %last: index) -> (tensor<1024xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1023 = arith.constant 1023 : index
  %zeros = arith.constant dense<0.0> : tensor<1024xf32>
  %next = scf.for %i = %c0 to %c1023 step %c1 iter_args(%row = %state) -> tensor<1024xf32> {
    %after = arith.addi %i, %c1 : index
    %a = tensor.extract %state[%i] : tensor<1024xf32>
    %b = tensor.extract %state[%after] : tensor<1024xf32>
    %sum = arith.addf %a, %b : f32
    %new = tensor.insert %sum into %row[%i] : tensor<1024xf32>
    scf.yield %new : tensor<1024xf32>
  }
  %scaled = linalg.mul ins(%next, %mask : tensor<1024xf32>, tensor<1024xf32>)
      outs(%next : tensor<1024xf32>) -> tensor<1024xf32>
  %chosen = arith.select %reset, %zeros, %scaled : tensor<1024xf32>
  %marked = tensor.insert %x into %chosen[%last] : tensor<1024xf32>
  %old = tensor.extract %state[%last] : tensor<1024xf32>
  return %marked, %old : tensor<1024xf32>, f32
}
