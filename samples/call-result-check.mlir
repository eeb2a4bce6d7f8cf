// A run-time check that survives: two results of one call might be the same buffer, so they are compared before a free.
func.func private @produce() -> (memref<8xf32>, memref<8xf32>)

func.func @callResultCheck() -> memref<8xf32> {
  %two:2 = call @produce() : () -> (memref<8xf32>, memref<8xf32>)
  return %two#0 : memref<8xf32>
}
