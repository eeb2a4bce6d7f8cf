// What is told apart and what is not; the list is in facts.expected.

#s0 = #lens.alias_scope<id = distinct[0]<>, description = "left">
#s1 = #lens.alias_scope<id = distinct[1]<>, description = "right">

memref.global "private" @table : memref<8xf32> = dense<1.0>
memref.global "private" @other : memref<8xf32> = dense<2.0>
func.func private @get() -> memref<8xf32>

// Arguments may be one buffer; what is allocated is none of them.
func.func @arguments(%p: memref<8xf32>, %q: memref<8xf32>, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  %x = memref.load %p[%i] : memref<8xf32>
  memref.store %x, %q[%i] : memref<8xf32>
  memref.store %x, %a[%i] : memref<8xf32>
  return
}

// An argument may be a global.
func.func @globals(%p: memref<8xf32>, %i: index) {
  %t = memref.get_global @table : memref<8xf32>
  %again = memref.get_global @table : memref<8xf32>
  %o = memref.get_global @other : memref<8xf32>
  %x = memref.load %t[%i] : memref<8xf32>
  memref.store %x, %again[%i] : memref<8xf32>
  memref.store %x, %o[%i] : memref<8xf32>
  memref.store %x, %p[%i] : memref<8xf32>
  return
}

// In each round the one is the buffer of the round before.
func.func @loop_carried(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<8xf32>
  %never = memref.alloc() : memref<8xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first)
      -> (memref<8xf32>) {
    %new = memref.alloc() : memref<8xf32>
    %x = memref.load %old[%c0] : memref<8xf32>
    memref.store %x, %new[%c0] : memref<8xf32>
    memref.store %x, %never[%c0] : memref<8xf32>
    scf.yield %new : memref<8xf32>
  }
  return
}

// Distinct in one round only: nothing is said of two rounds.
func.func @objects_in_loop(%p: memref<8xf32>, %q: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %p, %y = %q)
      -> (memref<8xf32>, memref<8xf32>) {
    %a, %b = memref.distinct_objects %x, %y : memref<8xf32>, memref<8xf32>
    %v = memref.load %a[%c0] : memref<8xf32>
    memref.store %v, %b[%c0] : memref<8xf32>
    lens.distinct_objects(%x, %y : memref<8xf32>, memref<8xf32>) {
    ^bb0(%c: memref<8xf32>, %d: memref<8xf32>):
      %w = memref.load %c[%c0] : memref<8xf32>
      memref.store %w, %d[%c0] : memref<8xf32>
    }
    lens.alias_domain_scope "round" {
      %w = memref.load %x[%c0] {lens.alias = #lens.aliasing<
        alias_scopes = [#s0], noalias = [#s1]>} : memref<8xf32>
      memref.store %w, %y[%c0] {lens.alias = #lens.aliasing<
        alias_scopes = [#s1], noalias = [#s0]>} : memref<8xf32>
    }
    scf.yield %y, %x : memref<8xf32>, memref<8xf32>
  }
  return
}

// The same in a loop of blocks.
func.func @objects_in_cycle(%p: memref<8xf32>, %q: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  cf.br ^body(%p, %q : memref<8xf32>, memref<8xf32>)
^body(%x: memref<8xf32>, %y: memref<8xf32>):
  %a, %b = memref.distinct_objects %x, %y : memref<8xf32>, memref<8xf32>
  %v = memref.load %a[%c0] : memref<8xf32>
  memref.store %v, %b[%c0] : memref<8xf32>
  cf.cond_br %c, ^body(%y, %x : memref<8xf32>, memref<8xf32>), ^end
^end:
  return
}

// What a region hands on is distinct inside of it only.
func.func @objects_handed_on(%p: memref<8xf32>, %q: memref<8xf32>,
                             %o: memref<8xf32>, %i: index) {
  %r:2 = lens.distinct_objects(%p, %q : memref<8xf32>, memref<8xf32>)
      none_are(%o : memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  ^bb0(%a: memref<8xf32>, %b: memref<8xf32>):
    %x = memref.load %a[%i] : memref<8xf32>
    memref.store %x, %b[%i] : memref<8xf32>
    memref.store %x, %o[%i] : memref<8xf32>
    lens.yield %a, %b : memref<8xf32>, memref<8xf32>
  }
  %y = memref.load %r#0[%i] : memref<8xf32>
  memref.store %y, %r#1[%i] : memref<8xf32>
  return
}

// A clone or a realloc may be the buffer that it is made from.
func.func @kept(%n: index, %i: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = bufferization.clone %a : memref<?xf32> to memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  %d = memref.realloc %c(%n) : memref<?xf32> to memref<?xf32>
  %x = memref.load %a[%i] : memref<?xf32>
  %y = memref.load %b[%i] : memref<?xf32>
  memref.store %x, %d[%i] : memref<?xf32>
  return
}

// Memory that comes out of a call, and that a program says something of.
func.func @stated(%i: index, %j: index) {
  %a = call @get() : () -> memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %half = memref.subview %a[4] [4] [1]
      : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  lens.alias_domain_scope "halves" {
    %x = memref.load %a[%i] {lens.alias = #lens.aliasing<
      alias_scopes = [#s0], noalias = [#s1]>} : memref<8xf32>
    memref.store %x, %half[%j] {lens.alias = #lens.aliasing<
      alias_scopes = [#s1], noalias = [#s0]>}
      : memref<4xf32, strided<[1], offset: 4>>
    memref.store %x, %b[%i] : memref<8xf32>
    %c, %d = memref.distinct_objects %a, %b : memref<8xf32>, memref<8xf32>
    memref.copy %c, %d : memref<8xf32> to memref<8xf32>
    lens.alias_domain_scope {
      %y = memref.load %a[%i] {lens.alias = #lens.aliasing<
        alias_scopes = [#s0], noalias = [#s1]>} : memref<8xf32>
    }
  }
  return
}

// A linalg op touches all of its operands.
func.func @linalg(%p: memref<8xf32>, %f: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.copy ins(%p : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.store %f, %b[%i] : memref<8xf32>
  return
}

// In one call more is known; that holds for the allocations too.
func.func @more_in_one_call(%p: memref<8xf32>, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %x = memref.load %p[%i] : memref<8xf32>
  memref.store %x, %a[%i] : memref<8xf32>
  memref.store %x, %b[%i] : memref<8xf32>
  return
}
