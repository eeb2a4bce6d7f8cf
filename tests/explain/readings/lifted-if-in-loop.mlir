// A branch in the loop's body becomes scf.if.
//? options: --pre=lift-cf-to-scf
//? must: true yielded by
//? not: not known where
//? not: (made for %while#
func.func private @go(memref<4xf32>) -> i1
func.func private @use(memref<4xf32>)
func.func @lifted(%m: memref<4xf32>, %d: i1) {
  cf.br ^h(%m : memref<4xf32>)
^h(%x: memref<4xf32>):
  %c = func.call @go(%x) : (memref<4xf32>) -> i1
  cf.cond_br %c, ^b, ^e
^b:
  cf.cond_br %d, ^fresh, ^same
^fresh:
  %t = memref.alloc() : memref<4xf32>
  memref.copy %x, %t : memref<4xf32> to memref<4xf32>
  cf.br ^next(%t : memref<4xf32>)
^same:
  func.call @use(%x) : (memref<4xf32>) -> ()
  cf.br ^next(%x : memref<4xf32>)
^next(%z: memref<4xf32>):
  func.call @use(%z) : (memref<4xf32>) -> ()
  cf.br ^h(%z : memref<4xf32>)
^e:
  return
}
