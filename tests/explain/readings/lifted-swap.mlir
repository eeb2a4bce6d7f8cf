// Two arguments of the caller that change places in a lifted loop.
//? options: --pre=lift-cf-to-scf
//? must: never deallocated
//? not: deallocated at the end
//? not: owned if
func.func private @go(memref<4xf32>) -> i1
func.func @lifted(%a: memref<4xf32>, %b: memref<4xf32>) {
  cf.br ^h(%a, %b : memref<4xf32>, memref<4xf32>)
^h(%x: memref<4xf32>, %y: memref<4xf32>):
  %c = func.call @go(%x) : (memref<4xf32>) -> i1
  cf.cond_br %c, ^b, ^e
^b:
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  cf.br ^h(%y, %x : memref<4xf32>, memref<4xf32>)
^e:
  return
}
