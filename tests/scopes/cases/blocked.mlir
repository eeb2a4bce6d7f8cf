// Optimizations that LLVM does with scopes only. The comment over a function says
// which passes run (run_optimizations.py), what is counted in it then, and the
// counts without scopes and with them.

#first = #lens.alias_scope<id = distinct[0]<>, description = "first">
#rest = #lens.alias_scope<id = distinct[1]<>, description = "rest">

// Two buffers that change places are never the third.
// hoist: loads in loops 1 -> 0
func.func @allocations_that_swap(%n: index, %m: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  memref.store %zero, %c[%c0] : memref<?xf32>
  %end:2 = scf.for %i = %c0 to %m step %c1 iter_args(%x = %a, %y = %b)
      -> (memref<?xf32>, memref<?xf32>) {
    scf.yield %y, %x : memref<?xf32>, memref<?xf32>
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %kept = memref.load %c[%c0] : memref<?xf32>
    %t = arith.addf %s, %kept : f32
    memref.store %t, %end#0[%i] : memref<?xf32>
    scf.yield %t : f32
  }
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  return %sum : f32
}

// Nor is one of two allocations one of two others.
// hoist: loads in loops 1 -> 0
func.func @allocations_that_are_chosen(%n: index, %p: i1, %q: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  %d = memref.alloc(%n) : memref<?xf32>
  %x = arith.select %p, %a, %b : memref<?xf32>
  %y = arith.select %q, %c, %d : memref<?xf32>
  memref.store %zero, %x[%c0] : memref<?xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %kept = memref.load %x[%c0] : memref<?xf32>
    %t = arith.addf %s, %kept : f32
    memref.store %t, %y[%i] : memref<?xf32>
    scf.yield %t : f32
  }
  return %sum : f32
}

// LLVM knows of two separate objects only where it sees them themselves.
// hoist: loads in loops 1 -> 0
func.func @objects_that_swap(%n: index, %m: index, %p: memref<?xf32>,
                             %q: memref<?xf32>, %r: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %a, %b, %c = memref.distinct_objects %p, %q, %r
      : memref<?xf32>, memref<?xf32>, memref<?xf32>
  %end:2 = scf.for %i = %c0 to %m step %c1 iter_args(%x = %a, %y = %b)
      -> (memref<?xf32>, memref<?xf32>) {
    scf.yield %y, %x : memref<?xf32>, memref<?xf32>
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %kept = memref.load %c[%c0] : memref<?xf32>
    %t = arith.addf %s, %kept : f32
    memref.store %t, %end#0[%i] : memref<?xf32>
    scf.yield %t : f32
  }
  return %sum : f32
}

// Vectorized, the loop needs no check at run time.
// vectorize: checks of overlap 1 -> 0
func.func @objects_with_a_region(%n: index, %p: memref<?xf32>,
                                 %q: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  lens.distinct_objects(%p : memref<?xf32>) none_are(%q : memref<?xf32>) {
  ^bb0(%a: memref<?xf32>):
    scf.for %i = %c0 to %n step %c1 {
      %old = memref.load %q[%i] : memref<?xf32>
      %new = arith.mulf %old, %old : f32
      memref.store %new, %a[%i] : memref<?xf32>
    }
  }
  return
}

// Two places of one buffer: nothing but the program can know.
// hoist: loads in loops 1 -> 0
func.func @two_views_of_one_buffer(%n: index, %p: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %end = lens.alias_domain_scope "first and rest" -> f32 {
    %sum = scf.for %i = %c1 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %kept = memref.load %p[%c0] {lens.alias = #lens.aliasing<
        alias_scopes = [#first], noalias = [#rest]>} : memref<?xf32>
      %t = arith.addf %s, %kept : f32
      memref.store %t, %p[%i] {lens.alias = #lens.aliasing<
        alias_scopes = [#rest], noalias = [#first]>} : memref<?xf32>
      scf.yield %t : f32
    }
    lens.alias_domain_scope.return %sum : f32
  }
  return %end : f32
}

// The second load is the first one, whatever is copied between them.
// number: loads of a float 2 -> 1
func.func @copied_between(%n: index, %p: memref<?xf32>, %q: memref<?xf32>,
                          %r: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a, %b, %c = memref.distinct_objects %p, %q, %r
      : memref<?xf32>, memref<?xf32>, memref<?xf32>
  %end:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
      -> (memref<?xf32>, memref<?xf32>) {
    scf.yield %y, %x : memref<?xf32>, memref<?xf32>
  }
  %before = memref.load %c[%c0] : memref<?xf32>
  memref.copy %end#0, %end#1 : memref<?xf32> to memref<?xf32>
  %after = memref.load %c[%c0] : memref<?xf32>
  %sum = arith.addf %before, %after : f32
  return %sum : f32
}
