// Two merges, one critical: whatever reaches ^inner comes from %fresh, so %same is freed as %fresh; %either takes copies, and %last is one more name of it. Behind the pass 2 clones and 2 deallocs, in the end 2 and 2.
// options: --pipeline=classic
func.func @nested(%use_given: i1, %small: i1, %given: memref<?xf32>,
                  %out: memref<?xf32>, %length: index,
                  %limit: f32) {
  cf.cond_br %use_given, ^given, ^fresh(%length : index)
^given:
  cf.br ^outer(%given : memref<?xf32>)
^fresh(%size: index):
  %fresh = memref.alloc(%size) : memref<?xf32>
  memref.copy %given, %fresh : memref<?xf32> to memref<?xf32>
  cf.cond_br %small, ^kept, ^clipped
^kept:
  cf.br ^inner(%fresh : memref<?xf32>)
^clipped:
  linalg.fill ins(%limit : f32) outs(%fresh : memref<?xf32>)
  cf.br ^inner(%fresh : memref<?xf32>)
^inner(%same: memref<?xf32>):
  cf.br ^outer(%same : memref<?xf32>)
^outer(%either: memref<?xf32>):
  cf.br ^end(%either : memref<?xf32>)
^end(%last: memref<?xf32>):
  memref.copy %last, %out : memref<?xf32> to memref<?xf32>
  return
}
