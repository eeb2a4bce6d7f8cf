// scf.forall.in_parallel is a terminator with neither of the two terminator
// interfaces, and is handled by a model of BufferDeallocationOpInterface.
// args: --ownership-based-buffer-deallocation
// then: scf\.forall
// then: memref\.alloc
// then: bufferization\.dealloc
func.func @each(%n: index) {
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<4xf32>
    scf.forall.in_parallel {
    }
  }
  return
}
