// Rejected: "ops with unknown memory side effects are not supported" A tensor op is left in an scf.forall: bufferize first.
func.func @forallInsert(%size: index, %into: tensor<4xf32>) -> tensor<4xf32> {
  %result = scf.forall (%i) in (%size) shared_outs(%out = %into) -> tensor<4xf32> {
    %cell = memref.alloc() : memref<f32>
    %value = memref.load %cell[] : memref<f32>
    %slice = tensor.from_elements %value : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %slice into %out[%i] [1] [1]
        : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %result : tensor<4xf32>
}
