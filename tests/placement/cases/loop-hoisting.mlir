// pass: func.func(lens-loop-hoist)

// OpenACC says that its iterations are independent.
func.func @independent(%n: index, %s: index, %f: f32) {
  acc.loop control(%i : index) = (%n : index) to (%n : index) step (%s : index) {
    // expected-remark @below {{left its block}}
    // expected-warning @below {{sharedByIterations; shown: acc.loop}}
    %a = memref.alloc() : memref<4xf32>
    memref.store %f, %a[%i] : memref<4xf32>
    acc.yield
  } attributes {inclusiveUpperbound = array<i1: false>, independent = [#acc.device_type<none>]}
  return
}

// -----

func.func @sequential(%n: index, %s: index, %f: f32) {
  acc.loop control(%i : index) = (%n : index) to (%n : index) step (%s : index) {
    // expected-remark @below {{left its block}}
    %a = memref.alloc() : memref<4xf32>
    memref.store %f, %a[%i] : memref<4xf32>
    acc.yield
  } attributes {inclusiveUpperbound = array<i1: false>, seq = [#acc.device_type<none>]}
  return
}

// -----

// The address as a number.
func.func @address(%n: index, %all: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark @below {{left its block}}
    // expected-warning @below {{sharedThroughMemory; shown: memref.store}}
    %a = memref.alloc() : memref<4xf32>
    %p = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
    memref.store %p, %all[%i] : memref<?xindex>
  }
  return
}

// -----

// Used and forgotten in each iteration: no harm.
func.func @scratch(%n: index, %f: f32, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark @below {{left its block}}
    %a = memref.alloc() : memref<4xf32>
    memref.store %f, %a[%i] : memref<4xf32>
    memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----

// One after the other in an iteration, and both around the loop.
// expected-warning @below {{higherPeak; 64 to 96}}
func.func @oneAfterTheOther(%n: index, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark @below {{left its block}}
    %a = memref.alloc() : memref<8xi64>
    memref.store %v, %a[%i] : memref<8xi64>
    // expected-remark @below {{left its block}}
    %b = memref.alloc() : memref<4xi64>
    memref.store %v, %b[%i] : memref<4xi64>
  }
  return
}
