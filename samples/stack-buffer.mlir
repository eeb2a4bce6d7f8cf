// memref.alloca: it is never owned, so a select between stack and heap frees the heap buffer only.
func.func private @consume(memref<8xf32>)

func.func @stackBuffer(%input: memref<8xf32>, %onStack: i1) {
  %stack = memref.alloca() : memref<8xf32>
  %heap = memref.alloc() : memref<8xf32>
  memref.copy %input, %stack : memref<8xf32> to memref<8xf32>
  memref.copy %input, %heap : memref<8xf32> to memref<8xf32>
  %chosen = arith.select %onStack, %stack, %heap : memref<8xf32>
  call @consume(%chosen) : (memref<8xf32>) -> ()
  return
}
