// pass: func.func(lens-promote)

// Two functions that call each other.
func.func private @even(%n: index) {
  // expected-remark @below {{promoted}}
  // expected-warning @below {{stackInRecursion; shown: func.call; 16 to 16}}
  %a = memref.alloc() : memref<4xf32>
  call @odd(%n) : (index) -> ()
  return
}
func.func private @odd(%n: index) {
  call @even(%n) : (index) -> ()
  return
}

// -----

// The buffer is gone before the call.
func.func private @freedBefore(%n: index) {
  memref.alloca_scope {
    // expected-remark @below {{promoted}}
    %a = memref.alloc() : memref<4xf32>
  }
  call @freedBefore(%n) : (index) -> ()
  return
}

// -----

// Its address is returned.
func.func @address() -> index {
  // expected-remark @below {{promoted}}
  // expected-warning @below {{stackEscapes; shown: func.return}}
  %a = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  return %p : index
}

// -----

// Put into memory that ends with the function too.
func.func @inside(%i: index) {
  // expected-remark @below {{promoted}}
  %a = memref.alloc() : memref<4xf32>
  %place = memref.alloca() : memref<1xmemref<4xf32>>
  memref.store %a, %place[%i] : memref<1xmemref<4xf32>>
  return
}
