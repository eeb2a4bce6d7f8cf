// Several chunks, one of which does not parse: every other chunk is still analysed.
func.func @first(%out: memref<8xf32>) {
  %buffer = memref.alloc() : memref<8xf32>
  memref.copy %buffer, %out : memref<8xf32> to memref<8xf32>
  return
}

// -----

func.func @broken(%out: memref<8xf32>) {
  %buffer = memref.alloc( : memref<8xf32>
  return
}

// -----

func.func @third(%given: memref<8xf32>) -> memref<8xf32> {
  return %given : memref<8xf32>
}
