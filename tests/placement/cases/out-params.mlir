// pass: lens-out-params

// With the attributes of the result.
// expected-warning @below {{copyOfArgument; shown: memref.copy}}
// expected-remark @below {{result 0: becameArgument; return: hoistingOff; allocations: 1}}
// expected-remark @below {{result 1: notMemref; allocations: 0}}
// expected-remark @below {{result 2: becameArgument; return: notAllocation; allocations: 1}}
func.func private @becameArgument(%m: memref<4xf32>)
    -> (memref<2xf32> {an.attribute}, index, memref<4xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %c = arith.constant 0 : index
  return %a, %c, %m : memref<2xf32>, index, memref<4xf32>
}
// expected-remark @below {{result 0: publicFunction; allocations: 0}}
func.func @caller(%m: memref<4xf32>) -> memref<2xf32> {
  %r:3 = call @becameArgument(%m) {an.attribute}
      : (memref<4xf32>) -> (memref<2xf32>, index, memref<4xf32>)
  return %r#0 : memref<2xf32>
}

// -----

// expected-remark @below {{result 0: external; allocations: 0}}
func.func private @external() -> memref<4xf32>
func.func @caller() {
  %r = call @external() : () -> memref<4xf32>
  return
}

// -----

// expected-remark @below {{result 0: notMemref; allocations: 0}}
// expected-remark @below {{result 1: notMemref; allocations: 0}}
func.func private @notMemref(%m: memref<*xf32>, %t: tensor<4xf32>)
    -> (memref<*xf32>, tensor<4xf32>) {
  return %m, %t : memref<*xf32>, tensor<4xf32>
}

// -----

// expected-remark @below {{result 0: besideUnsupported; allocations: 0}}
// expected-remark @below {{result 1: unsupportedLayout; allocations: 0}}
// expected-error @below {{cannot create out param for result with unsupported layout}}
func.func private @unsupportedLayout(%m: memref<4xf32>, %n: memref<4xf32, strided<[1], offset: 1>>)
    -> (memref<4xf32>, memref<4xf32, strided<[1], offset: 1>>) {
  return %m, %n : memref<4xf32>, memref<4xf32, strided<[1], offset: 1>>
}

// -----

// Callers allocate a dense one and cast it.
// expected-warning @below {{copyOfArgument; shown: memref.copy}}
// expected-remark @below {{result 0: becameArgument; return: notAllocation; allocations: 1}}
func.func private @dynamicLayout(%m: memref<4xf32, strided<[?], offset: ?>>)
    -> memref<4xf32, strided<[?], offset: ?>> {
  return %m : memref<4xf32, strided<[?], offset: ?>>
}
func.func @caller(%m: memref<4xf32, strided<[?], offset: ?>>) {
  %r = call @dynamicLayout(%m) : (memref<4xf32, strided<[?], offset: ?>>)
      -> memref<4xf32, strided<[?], offset: ?>>
  return
}

// -----

// Dense in other words: callers allocate a buffer of another type.
// expected-warning @below {{copyOfArgument; shown: memref.copy}}
// expected-remark @below {{result 0: becameArgument; return: notAllocation; allocations: 1}}
func.func private @strided(%m: memref<4xf32, strided<[1]>>) -> memref<4xf32, strided<[1]>> {
  return %m : memref<4xf32, strided<[1]>>
}
func.func @caller(%m: memref<4xf32, strided<[1]>>) {
  // expected-error @below {{operand type mismatch}}
  %r = call @strided(%m) : (memref<4xf32, strided<[1]>>) -> memref<4xf32, strided<[1]>>
  return
}

// -----

// expected-remark @below {{result 0: callUnknownSize; return: notAllocation; allocations: 0}}
func.func private @unknownSize(%m: memref<?xf32>) -> memref<?xf32> {
  return %m : memref<?xf32>
}
func.func @caller(%m: memref<?xf32>) {
  // expected-error @below {{cannot create out param for dynamically shaped result}}
  %r = call @unknownSize(%m) : (memref<?xf32>) -> memref<?xf32>
  // expected-error @below {{cannot create out param for dynamically shaped result}}
  %s = call @unknownSize(%m) : (memref<?xf32>) -> memref<?xf32>
  return
}

// -----

// Nobody calls it: nobody needs to know.
// expected-warning @below {{copyOfArgument; shown: memref.copy}}
// expected-remark @below {{result 0: becameArgument; return: notAllocation; allocations: 0}}
func.func private @uncalled(%m: memref<?xf32>) -> memref<?xf32> {
  return %m : memref<?xf32>
}

// -----

// It never returns.
// expected-remark @below {{result 0: becameArgument; allocations: 0}}
func.func private @noReturn() -> memref<4xf32> {
  cf.br ^forever
^forever:
  cf.br ^forever
}

// -----

// Names are looked for in the outer module only.
module {
  module {
    func.func private @inner() -> memref<4xf32> {
      %a = memref.alloc() : memref<4xf32>
      return %a : memref<4xf32>
    }
    func.func @caller() {
      // expected-error @below {{cannot find callee 'inner' in symbol table}}
      %r = func.call @inner() : () -> memref<4xf32>
      return
    }
  }
}

// -----

// The call inside means the function inside, and is changed as if it meant the
// other.
// expected-remark @below {{result 0: becameArgument; return: hoistingOff; allocations: 1}}
func.func private @same() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
module {
  func.func private @same() -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    return %a : memref<4xf32>
  }
  func.func @caller() {
    // expected-error @below {{incorrect number of operands for callee}}
    %r = func.call @same() : () -> memref<4xf32>
    return
  }
}
