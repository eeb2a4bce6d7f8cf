// A cond_br with one target twice: each edge has its own dealloc and passes its own i1 to the shared block.
func.func private @consume(memref<8xf32>)

func.func @oneTargetTwice(%given: memref<8xf32>, %direct: i1, %pick: i1, %branch: i1) {
  cf.cond_br %direct, ^join(%given : memref<8xf32>), ^choose
^choose:
  %fresh = memref.alloc() : memref<8xf32>
  memref.copy %given, %fresh : memref<8xf32> to memref<8xf32>
  %chosen = arith.select %pick, %fresh, %given : memref<8xf32>
  %other = memref.alloc() : memref<8xf32>
  memref.copy %chosen, %other : memref<8xf32> to memref<8xf32>
  cf.cond_br %branch, ^join(%chosen : memref<8xf32>), ^join(%other : memref<8xf32>)
^join(%result: memref<8xf32>):
  call @consume(%result) : (memref<8xf32>) -> ()
  return
}
