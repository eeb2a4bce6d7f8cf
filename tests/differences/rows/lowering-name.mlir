// args: --lower-deallocations
// error: Unknown command line argument '--lower-deallocations'
//
// args: --bufferization-lower-deallocations
// then: scf\.if
// then: memref\.dealloc
func.func @one(%m: memref<f32>, %c: i1) {
  bufferization.dealloc (%m : memref<f32>) if (%c)
  return
}
