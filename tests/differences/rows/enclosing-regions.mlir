// %a is live into the region, and is not listed in it.
// args: --ownership-based-buffer-deallocation
// count 1: extract_strided_metadata %alloc :
// then: scf\.if
// then: extract_strided_metadata %alloc_\d+ :
// then: bufferization\.dealloc \(%\w+ : memref<f32>\)
// then: extract_strided_metadata %alloc :
func.func @inside(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  }
  return
}
