// pass: func.func(lens-liveness)

// Read through a tensor.
func.func @tensor(%i: index, %f: f32) -> f32 {
  // expected-remark @below {{movedUp; last use: bufferization.to_tensor; passed: 1}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  %t = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  // expected-warning @below {{usedAfterFree; shown: tensor.extract}}
  memref.dealloc %a : memref<4xf32>
  return %x : f32
}

// -----

// By a cast to another dialect and back.
func.func @cast(%i: index, %f: f32) {
  // expected-remark @below {{movedUp; last use: builtin.unrealized_conversion_cast; passed: 2}}
  %a = memref.alloc() : memref<4xf32>
  %p = builtin.unrealized_conversion_cast %a : memref<4xf32> to i64
  %b = builtin.unrealized_conversion_cast %p : i64 to memref<4xf32>
  memref.store %f, %b[%i] : memref<4xf32>
  // expected-warning @below {{usedAfterFree; shown: memref.store}}
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// Two addresses are compared, as the lowering of bufferization.dealloc does:
// nothing is read.
func.func @compared(%m: memref<4xf32>, %f: f32) {
  // expected-remark @below {{movedUp; last use: memref.extract_aligned_pointer_as_index; passed: 3}}
  %a = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %q = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  %other = arith.cmpi ne, %p, %q : index
  scf.if %other {
    memref.dealloc %m : memref<4xf32>
  }
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// Overwritten before it is loaded again.
func.func @overwritten(%i: index, %f: f32, %m: memref<4xf32>) {
  // expected-remark @below {{notFreed}}
  %place = memref.alloca() : memref<1xmemref<4xf32>>
  // expected-remark @below {{movedUp; last use: memref.store; passed: 3}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %place[%i] : memref<1xmemref<4xf32>>
  memref.store %m, %place[%i] : memref<1xmemref<4xf32>>
  %b = memref.load %place[%i] : memref<1xmemref<4xf32>>
  memref.store %f, %b[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// The task has ended before the last use that counts.
func.func @awaited(%i: index, %f: f32) {
  // expected-remark @below {{movedUp; last use: memref.store; passed: 1}}
  %a = memref.alloc() : memref<4xf32>
  %task = async.execute {
    memref.store %f, %a[%i] : memref<4xf32>
    async.yield
  }
  async.await %task : !async.token
  memref.store %f, %a[%i] : memref<4xf32>
  %x = arith.addf %f, %f : f32
  memref.dealloc %a : memref<4xf32>
  return
}
