// args: --bufferization-lower-deallocations
// then: %(\w+) = arith\.constant false
// then: return %false : i1
// not: memref\.dealloc|dealloc_helper|aligned_pointer
func.func @nothing(%r: memref<f32>) -> i1 {
  %0 = bufferization.dealloc retain (%r : memref<f32>)
  return %0 : i1
}
