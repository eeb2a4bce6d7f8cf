// pass: func.func(lens-liveness)
// as: func.func(optimize-allocation-liveness)

// Two buffers of one op: the pass leaves both frees alone, and moves the other.
func.func @severalAllocations(%i: index, %f: f32) {
  // expected-remark @below {{severalAllocations}}
  %a, %b = "two.buffers"() : () -> (memref<4xf32>, memref<4xf32>)
  // expected-remark @below {{movedUp; last use: memref.store; passed: 3}}
  %c = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  memref.store %f, %c[%i] : memref<4xf32>
  %x = arith.addf %f, %f : f32
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  return
}
