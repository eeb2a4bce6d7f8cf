// A loop in a loop, both lifted.
//? options: --pre=lift-cf-to-scf
//? must: true yielded by
//? not: not known where
//? not: argument of the then region of scf.if
func.func private @go(memref<4xf32>) -> i1
func.func @lifted(%m: memref<4xf32>) {
  cf.br ^h(%m : memref<4xf32>)
^h(%x: memref<4xf32>):
  %c = func.call @go(%x) : (memref<4xf32>) -> i1
  cf.cond_br %c, ^in(%x : memref<4xf32>), ^e
^in(%y: memref<4xf32>):
  %t = memref.alloc() : memref<4xf32>
  memref.copy %y, %t : memref<4xf32> to memref<4xf32>
  %d = func.call @go(%t) : (memref<4xf32>) -> i1
  cf.cond_br %d, ^in(%t : memref<4xf32>), ^h(%t : memref<4xf32>)
^e:
  return
}
