// pass: lens-drop-results

// Seen through casts, which the callers get; not only buffers.
// expected-remark @below {{result 0: dropped; argument 1; calls: 1; casts: 1}}
// expected-remark @below {{result 1: dropped; argument 0; calls: 1; casts: 0}}
func.func private @dropped(%n: index, %m: memref<4xf32>)
    -> (memref<?xf32>, index) {
  %c = memref.cast %m : memref<4xf32> to memref<?xf32>
  return %c, %n : memref<?xf32>, index
}
// expected-remark @below {{result 0: publicFunction; calls: 0}}
func.func @caller(%n: index, %m: memref<4xf32>) -> memref<?xf32> {
  %r:2 = call @dropped(%n, %m) : (index, memref<4xf32>) -> (memref<?xf32>, index)
  return %r#0 : memref<?xf32>
}

// -----

// Two returns that agree.
// expected-remark @below {{result 0: dropped; argument 0; calls: 0}}
func.func private @twoReturns(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  return %m : memref<4xf32>
^b:
  return %m : memref<4xf32>
}

// -----

// expected-remark @below {{result 0: external; calls: 0}}
func.func private @external(memref<4xf32>) -> memref<4xf32>

// -----

// expected-remark @below {{result 0: noReturn; calls: 0}}
func.func private @noReturn(%m: memref<4xf32>) -> memref<4xf32> {
  cf.br ^forever
^forever:
  cf.br ^forever
}

// -----

// expected-remark @below {{result 0: notArgument; because of memref.alloc}}
// expected-remark @below {{result 1: notArgument; because of memref.subview}}
// expected-remark @below {{result 2: notArgument; because of a block argument}}
func.func private @notArgument(%m: memref<4xf32>)
    -> (memref<4xf32>, memref<2xf32, strided<[1]>>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %s = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  cf.br ^next(%m : memref<4xf32>)
^next(%n: memref<4xf32>):
  return %a, %s, %n : memref<4xf32>, memref<2xf32, strided<[1]>>, memref<4xf32>
}

// -----

// Only one of two returns passes an argument.
// expected-remark @below {{result 0: notArgument; because of memref.alloc}}
func.func private @onlyOnce(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  return %m : memref<4xf32>
^b:
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

// -----

// expected-remark @below {{result 0: differingArguments; because of a block argument}}
func.func private @differing(%m: memref<4xf32>, %n: memref<4xf32>, %c: i1) -> memref<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  return %m : memref<4xf32>
^b:
  return %n : memref<4xf32>
}

// -----

// Its callee loses the result only afterwards.
// expected-remark @below {{result 0: nextTime; argument 0; calls: 0}}
func.func private @nextTime(%m: memref<4xf32>) -> memref<4xf32> {
  %r = call @later(%m) {an.attribute} : (memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}
// expected-remark @below {{result 0: dropped; argument 0; calls: 1}}
func.func private @later(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

// -----

// A module inside has functions of its own.
// expected-remark @below {{result 0: dropped; argument 0; calls: 0}}
func.func private @same(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
module {
  func.func private @same(%m: memref<4xf32>) -> memref<4xf32> {
    return %m : memref<4xf32>
  }
  func.func @caller(%m: memref<4xf32>) {
    %r = func.call @same(%m) : (memref<4xf32>) -> memref<4xf32>
    return
  }
}

// -----

// Casts that lead to another shape cannot be made into one.
// expected-remark @below {{result 0: dropped; argument 0; calls: 1; casts: 1}}
func.func private @otherShape(%m: memref<4xf32>) -> memref<8xf32> {
  %u = memref.cast %m : memref<4xf32> to memref<*xf32>
  %c = memref.cast %u : memref<*xf32> to memref<8xf32>
  return %c : memref<8xf32>
}
func.func @caller(%m: memref<4xf32>) {
  // expected-error @below {{are cast incompatible}}
  %r = call @otherShape(%m) : (memref<4xf32>) -> memref<8xf32>
  return
}

// -----

// A function as a value keeps its type.
// expected-remark @below {{result 0: dropped; argument 0; calls: 0}}
func.func private @asValue(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func @user() {
  // expected-error @below {{reference to function with mismatched type}}
  %f = func.constant @asValue : (memref<4xf32>) -> memref<4xf32>
  return
}
