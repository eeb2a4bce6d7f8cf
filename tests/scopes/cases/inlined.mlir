// Functions to inline: what is said of one call of @kernel is not true of two, as
// its callers change its arguments; of allocations it stays true.

func.func @kernel(%p: memref<8xi64>, %q: memref<8xi64>, %v: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a, %b = memref.distinct_objects %p, %q : memref<8xi64>, memref<8xi64>
  %x = memref.load %a[%c0] : memref<8xi64>
  %s = arith.addi %x, %v : i64
  memref.store %s, %b[%c0] : memref<8xi64>
  %y = memref.load %a[%c0] : memref<8xi64>
  %r = arith.addi %s, %y : i64
  return %r : i64
}

func.func @kernel_twice(%p: memref<8xi64>, %q: memref<8xi64>, %v: i64) -> i64 {
  %r = call @kernel(%p, %q, %v) : (memref<8xi64>, memref<8xi64>, i64) -> i64
  %s = call @kernel(%q, %p, %r) : (memref<8xi64>, memref<8xi64>, i64) -> i64
  return %s : i64
}

func.func @kernel_in_loop(%p: memref<8xi64>, %q: memref<8xi64>, %v: i64,
                          %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p, %y = %q, %w = %v)
      -> (memref<8xi64>, memref<8xi64>, i64) {
    %s = func.call @kernel(%x, %y, %w)
        : (memref<8xi64>, memref<8xi64>, i64) -> i64
    scf.yield %y, %x, %s : memref<8xi64>, memref<8xi64>, i64
  }
  return %r#2 : i64
}

func.func @allocating(%v: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  memref.store %v, %a[%c0] : memref<8xi64>
  memref.store %v, %b[%c0] : memref<8xi64>
  %x = memref.load %a[%c0] : memref<8xi64>
  memref.dealloc %a : memref<8xi64>
  memref.dealloc %b : memref<8xi64>
  return %x : i64
}

func.func @allocating_twice(%v: i64) -> i64 {
  %r = call @allocating(%v) : (i64) -> i64
  %s = call @allocating(%r) : (i64) -> i64
  return %s : i64
}
