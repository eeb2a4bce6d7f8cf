// args: --buffer-deallocation-simplification
// then: %(\w+) = arith\.ori %arg1, %arg2
// then: bufferization\.dealloc \(%arg0 : memref<f32>\) if
// not: constant false
func.func @same_twice(%m: memref<f32>, %c: i1, %d: i1) {
  bufferization.dealloc (%m, %m : memref<f32>, memref<f32>) if (%c, %d)
  return
}
