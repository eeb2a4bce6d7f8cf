// scf.index_switch: each case yields another buffer, and one i1 result says whether the chosen one is owned.
func.func private @consume(memref<4xf32>)

func.func @indexSwitch(%given: memref<4xf32>, %which: index) {
  %chosen = scf.index_switch %which -> memref<4xf32>
  case 0 {
    %fresh = memref.alloc() : memref<4xf32>
    memref.copy %given, %fresh : memref<4xf32> to memref<4xf32>
    scf.yield %fresh : memref<4xf32>
  }
  case 1 {
    scf.yield %given : memref<4xf32>
  }
  default {
    %other = memref.alloc() : memref<4xf32>
    memref.copy %given, %other : memref<4xf32> to memref<4xf32>
    scf.yield %other : memref<4xf32>
  }
  call @consume(%chosen) : (memref<4xf32>) -> ()
  return
}
