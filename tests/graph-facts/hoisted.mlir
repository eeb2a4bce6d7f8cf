// Hoisted out of a block and out of a loop; views, a select, a buffer that escapes under another name.
// options: --pipeline=hoist+loop-hoist+classic
func.func @hoisted(%pick: i1, %n: index, %given: memref<8xf32>, %out: memref<8xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %pick, ^skip, ^work
^skip:
  cf.br ^merge(%given : memref<8xf32>)
^work:
  %fresh = memref.alloc() : memref<8xf32>
  memref.copy %given, %fresh : memref<8xf32> to memref<8xf32>
  cf.br ^merge(%fresh : memref<8xf32>)
^merge(%either: memref<8xf32>):
  scf.for %i = %c0 to %n step %c1 {
    %scratch = memref.alloc() : memref<8xf32>
    memref.copy %either, %scratch : memref<8xf32> to memref<8xf32>
    memref.copy %scratch, %out : memref<8xf32> to memref<8xf32>
  }
  %left = memref.alloc() : memref<8xf32>
  %right = memref.alloc() : memref<8xf32>
  %chosen = arith.select %pick, %left, %right : memref<8xf32>
  %cast = memref.cast %chosen : memref<8xf32> to memref<?xf32>
  return %cast : memref<?xf32>
}
