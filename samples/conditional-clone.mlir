// A conditional clone: a returned select is copied only where the run-time bit says that it is not owned.
func.func @conditionalClone(%given: memref<8xf32>, %pick: i1) -> memref<8xf32> {
  %fresh = memref.alloc() : memref<8xf32>
  memref.copy %given, %fresh : memref<8xf32> to memref<8xf32>
  %chosen = arith.select %pick, %fresh, %given : memref<8xf32>
  return %chosen : memref<8xf32>
}
