// pass: lens-out-params{add-result-attr hoist-static-allocs modify-public-functions}

// expected-remark @below {{result 0: becameArgument; return: hoisted memref.alloc; allocations: 1}}
func.func @public() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
// expected-remark @below {{result 0: becameArgument; return: notAllocation; allocations: 0}}
func.func @caller() -> memref<4xf32> {
  %r = call @public() : () -> memref<4xf32>
  return %r : memref<4xf32>
}
// expected-remark @below {{result 0: external; allocations: 0}}
func.func private @external() -> memref<4xf32>

// -----

// Of dynamic shape, and that option is off.
// expected-remark @below {{result 0: becameArgument; return: hoistingOff; allocations: 0}}
func.func @dynamic(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}
