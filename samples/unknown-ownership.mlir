// Unknown ownership: the cast of a select joins true and false, so what is returned is copied without a check.
func.func @unknownOwnership(%given: memref<8xf32>, %at: index, %pick: i1)
    -> memref<4xf32, strided<[1], offset: ?>> {
  %fresh = memref.alloc() : memref<8xf32>
  memref.copy %given, %fresh : memref<8xf32> to memref<8xf32>
  %chosen = arith.select %pick, %fresh, %given : memref<8xf32>
  %part = memref.subview %chosen[%at] [4] [1]
    : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  return %part : memref<4xf32, strided<[1], offset: ?>>
}
