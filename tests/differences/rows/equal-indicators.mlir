// Both i1s that come into ^bb1 are always true, but they are two values: the
// join is unknown, so a copy is made. Equal constants, in @constants, do join.
// args: --ownership-based-buffer-deallocation
// then: func\.func @values
// then: bufferization\.clone %cast
// then: func\.func @constants
// then: retain \(%cast
func.func @values(%c: i1) -> memref<?xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  cf.br ^bb1(%a, %b : memref<4xf32>, memref<4xf32>)
^bb1(%x: memref<4xf32>, %y: memref<4xf32>):
  %r = arith.select %c, %x, %y : memref<4xf32>
  %v = memref.cast %r : memref<4xf32> to memref<?xf32>
  return %v : memref<?xf32>
}
func.func @constants(%c: i1) -> memref<?xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r = arith.select %c, %a, %b : memref<4xf32>
  %v = memref.cast %r : memref<4xf32> to memref<?xf32>
  return %v : memref<?xf32>
}
