// args: --ownership-based-buffer-deallocation
// then: scf\.for .* iter_args\(%\w+ = %arg3, %\w+ = %false\w*\) -> \(memref<4xf32>, i1\)
// then: bufferization\.dealloc \(.*\) if \(%arg6\) retain \(%arg5
// then: scf\.yield %arg5, %\w+ : memref<4xf32>, i1
func.func @loop(%lo: index, %hi: index, %st: index, %m: memref<4xf32>) {
  %r = scf.for %i = %lo to %hi step %st iter_args(%x = %m) -> memref<4xf32> {
    scf.yield %x : memref<4xf32>
  }
  return
}
