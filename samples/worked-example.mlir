// Worked example: a select between an owned and a stack buffer, and a cond_br whose two edges lead to the same block.
//
// The cond_br does not live to see the ownership pass: the first canonicalize,
// which the pipeline runs before it, makes it a second select. See
// one-target-twice.mlir for a cond_br that stays.
func.func @workedExample(%target: memref<8xf32>, %pick: i1, %branch: i1) {
  %heap = memref.alloc() : memref<8xf32>
  %stack = memref.alloca() : memref<8xf32>
  memref.copy %target, %heap : memref<8xf32> to memref<8xf32>
  memref.copy %target, %stack : memref<8xf32> to memref<8xf32>
  %chosen = arith.select %pick, %heap, %stack : memref<8xf32>
  cf.cond_br %branch, ^write(%heap : memref<8xf32>), ^write(%chosen : memref<8xf32>)
^write(%source: memref<8xf32>):
  memref.copy %source, %target : memref<8xf32> to memref<8xf32>
  return
}
