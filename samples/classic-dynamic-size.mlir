// The clone-based pass where hoisting cannot help: the size of %fresh is an argument of its block, so it stays there. Behind the pass 2 clones and 2 deallocs, in the end 1 and 1.
// options: --pipeline=hoist+classic
func.func @dynamicSize(%use_given: i1, %given: memref<?xf32>,
                       %out: memref<?xf32>, %length: index) {
  cf.cond_br %use_given, ^given, ^fresh(%length : index)
^given:
  cf.br ^merge(%given : memref<?xf32>)
^fresh(%size: index):
  %fresh = memref.alloc(%size) : memref<?xf32>
  memref.copy %given, %fresh : memref<?xf32> to memref<?xf32>
  cf.br ^merge(%fresh : memref<?xf32>)
^merge(%either: memref<?xf32>):
  memref.copy %either, %out : memref<?xf32> to memref<?xf32>
  return
}
