// The clone-based pass at a merge: %either is a critical alias, so both ways in pass copies. Behind the pass 2 clones and 2 deallocs, in the end 1 and 1; hoisted first, 0 and 1.
// options: --pipeline=classic
func.func @branch(%use_given: i1, %given: memref<16xf32>, %out: memref<16xf32>) {
  cf.cond_br %use_given, ^given, ^fresh
^given:
  cf.br ^merge(%given : memref<16xf32>)
^fresh:
  %fresh = memref.alloc() : memref<16xf32>
  memref.copy %given, %fresh : memref<16xf32> to memref<16xf32>
  cf.br ^merge(%fresh : memref<16xf32>)
^merge(%either: memref<16xf32>):
  memref.copy %either, %out : memref<16xf32> to memref<16xf32>
  return
}
