// A block that no path reaches, before a block that one does.
func.func @unreachable(%given: memref<4xf32>, %other: i1) {
  cf.br ^reached
^never:
  %lost = memref.alloc() : memref<4xf32>
  cf.cond_br %other, ^reached, ^never
^reached:
  memref.copy %given, %given : memref<4xf32> to memref<4xf32>
  return
}
