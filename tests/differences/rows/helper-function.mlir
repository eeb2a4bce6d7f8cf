// args: --bufferization-lower-deallocations
// then: call @dealloc_helper_0\(
// then: func\.func private @dealloc_helper\(
// then: func\.func private @dealloc_helper_0\(
//
// args: --pass-pipeline=builtin.module(func.func(bufferization-lower-deallocations))
// error: cannot be automatically inserted when operating on functions
func.func @dealloc_helper() {
  return
}
func.func @outer(%a: memref<f32>, %b: memref<f32>, %c: i1) {
  bufferization.dealloc (%a, %b : memref<f32>, memref<f32>) if (%c, %c)
  return
}
module @inner {
  func.func @nested(%a: memref<f32>, %b: memref<f32>, %c: i1) {
    bufferization.dealloc (%a, %b : memref<f32>, memref<f32>) if (%c, %c)
    return
  }
}
