// Rejected: "ops with unknown memory side effects are not supported" An op that does not say whether it allocates or frees.
func.func @unknownEffects(%buffer: memref<8xf32>) {
  %local = memref.alloc() : memref<8xf32>
  memref.copy %buffer, %local : memref<8xf32> to memref<8xf32>
  gpu.barrier
  memref.copy %local, %buffer : memref<8xf32> to memref<8xf32>
  return
}
