// A select of a select: the inner one has no single bit, so the outer one is copied without a check.
func.func @selectOfSelect(%given: memref<8xf32>, %first: i1, %second: i1)
    -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %given, %a : memref<8xf32> to memref<8xf32>
  memref.copy %given, %b : memref<8xf32> to memref<8xf32>
  %inner = arith.select %first, %a, %given : memref<8xf32>
  %outer = arith.select %second, %inner, %b : memref<8xf32>
  return %outer : memref<8xf32>
}
