// args: --buffer-deallocation-pipeline --dump-pass-pipeline
// then: expand-realloc
// then: canonicalize
// then: ownership-based-buffer-deallocation
// then: canonicalize
// then: buffer-deallocation-simplification
// then: bufferization-lower-deallocations
// then: cse
// then: canonicalize
//
// What it changes: with the two casts in the way, the copy is unconditional.
// args: --ownership-based-buffer-deallocation
// has: %\w+ = bufferization.clone %cast
// not: scf\.if
//
// args: --canonicalize --ownership-based-buffer-deallocation
// has: scf\.if %\w+ -> \(memref<4xf32>\)
func.func @there_and_back(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = arith.select %c, %a, %m : memref<4xf32>
  %wide = memref.cast %r : memref<4xf32> to memref<?xf32>
  %back = memref.cast %wide : memref<?xf32> to memref<4xf32>
  return %back : memref<4xf32>
}
