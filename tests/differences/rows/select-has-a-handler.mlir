// args: --ownership-based-buffer-deallocation
// then: arith\.select %arg0, %alloc, %arg1 : memref<4xf32>
// then: %(\w+) = arith\.select %arg0, %true\w*, %false\w* : i1
// then: scf\.if
// then: else
// then: bufferization\.clone
func.func @either(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = arith.select %c, %a, %m : memref<4xf32>
  return %r : memref<4xf32>
}
