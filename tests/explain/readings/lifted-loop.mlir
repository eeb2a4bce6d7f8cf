// The argument of the header goes on under its name in the loop that is made.
//? options: --pre=lift-cf-to-scf
//? must: %x (12:15
//? must: true yielded by
//? not: argument of the then region of scf.if
//? not: %while#2 (made for
//? not: ub.poison
func.func @lifted(%n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^h(%c0, %m : index, memref<4xf32>)
^h(%i: index, %x: memref<4xf32>):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^b, ^e
^b:
  %t = memref.alloc() : memref<4xf32>
  memref.copy %x, %t : memref<4xf32> to memref<4xf32>
  %i1 = arith.addi %i, %c1 : index
  cf.br ^h(%i1, %t : index, memref<4xf32>)
^e:
  return %x : memref<4xf32>
}
