// pass: lens-out-params{hoist-static-allocs hoist-dynamic-allocs}

// expected-warning @below {{alignmentLost; shown: memref.alloc; 64 to 0}}
// expected-remark @below {{result 0: becameArgument; return: hoisted memref.alloc, alignment 64; allocations: 1}}
func.func private @hoisted(%i: index, %f: f32) -> memref<4xf32> {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  return %a : memref<4xf32>
}
func.func @caller(%i: index, %f: f32) {
  %r = call @hoisted(%i, %f) : (index, f32) -> memref<4xf32>
  return
}

// -----

// What a clone and a realloc bring along is lost.
// expected-warning @below {{contentsLost; shown: func.return}}
// expected-remark @below {{result 0: becameArgument; return: hoisted bufferization.clone, had contents; allocations: 0}}
// expected-remark @below {{result 1: becameArgument; return: hoisted memref.realloc, had contents, size is argument 2; allocations: 0}}
func.func private @contents(%m: memref<4xf32>, %n: memref<4xf32>, %size: index)
    -> (memref<4xf32>, memref<?xf32>) {
  %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  %r = memref.realloc %n(%size) : memref<4xf32> to memref<?xf32>
  return %c, %r : memref<4xf32>, memref<?xf32>
}

// -----

// expected-remark @below {{result 0: becameArgument; return: hoisted memref.alloc, size is argument 1, size is argument 0; allocations: 1}}
func.func private @sizes(%k: index, %n: index) -> memref<?x?xf32> {
  %a = memref.alloc(%n, %k) : memref<?x?xf32>
  return %a : memref<?x?xf32>
}
func.func @caller(%k: index, %n: index) {
  %r = call @sizes(%k, %n) : (index, index) -> memref<?x?xf32>
  return
}

// -----

// expected-remark @below {{result 0: callUnknownSize; return: hoisted memref.alloc, size is no argument but of arith.addi; allocations: 0}}
func.func private @computedSize(%n: index) -> memref<?xf32> {
  %k = arith.addi %n, %n : index
  %a = memref.alloc(%k) : memref<?xf32>
  return %a : memref<?xf32>
}
func.func @caller(%n: index) {
  // expected-error @below {{cannot create out param for dynamically shaped result}}
  %r = call @computedSize(%n) : (index) -> memref<?xf32>
  return
}

// -----

// Callers go by the first return.
// expected-warning @below {{otherSize; shown: func.return}}
// expected-remark @below {{result 0: becameArgument; return: hoisted memref.alloc, size is argument 0; return: hoisted memref.alloc, size is argument 1; allocations: 1}}
func.func private @otherSize(%n: index, %k: index, %c: i1) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%k) : memref<?xf32>
  cf.cond_br %c, ^a, ^b
^a:
  return %a : memref<?xf32>
^b:
  return %b : memref<?xf32>
}
func.func @caller(%n: index, %k: index, %c: i1) {
  %r = call @otherSize(%n, %k, %c) : (index, index, i1) -> memref<?xf32>
  return
}

// -----

// expected-remark @below {{result 0: callUnknownSize; return: notAllocation; return: hoisted memref.alloc, size is argument 0; allocations: 0}}
func.func private @firstReturnKnowsNone(%n: index, %m: memref<?xf32>, %c: i1) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %c, ^a, ^b
^a:
  return %m : memref<?xf32>
^b:
  return %a : memref<?xf32>
}
func.func @caller(%n: index, %m: memref<?xf32>, %c: i1) {
  // expected-error @below {{cannot create out param for dynamically shaped result}}
  %r = call @firstReturnKnowsNone(%n, %m, %c) : (index, memref<?xf32>, i1) -> memref<?xf32>
  return
}

// -----

// expected-warning @below {{copyOntoItself; shown: memref.copy}}
// expected-remark @below {{result 0: becameArgument; return: hoisted memref.alloc; return: hoistedBefore; allocations: 0}}
func.func private @hoistedBefore(%c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^a, ^b
^a:
  return %a : memref<4xf32>
^b:
  return %a : memref<4xf32>
}

// -----

// A cast of an allocation is none.
// expected-remark @below {{result 0: becameArgument; return: notAllocation; allocations: 0}}
func.func private @cast() -> memref<4xf32, strided<[?], offset: ?>> {
  %a = memref.alloc() : memref<4xf32>
  %c = memref.cast %a : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  return %c : memref<4xf32, strided<[?], offset: ?>>
}

// -----

// An op of another dialect that does not say how it allocates.
// expected-remark @below {{result 0: becameArgument; return: notAllocation; allocations: 0}}
func.func private @otherOp() -> memref<4xf32> {
  %a = gpu.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
