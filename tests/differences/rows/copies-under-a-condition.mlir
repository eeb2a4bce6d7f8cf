// args: --ownership-based-buffer-deallocation
// then: scf\.if %false -> \(memref<4xf32>\)
// then: scf\.yield %arg0
// then: else
// then: bufferization\.clone %arg0
//
// args: --ownership-based-buffer-deallocation --canonicalize
// has: %0 = bufferization\.clone %arg0
// not: scf\.if
func.func @passes(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
