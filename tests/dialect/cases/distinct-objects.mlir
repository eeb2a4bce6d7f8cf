// `lens.distinct_objects` with a region, and what it does not say.
memref.global @g : memref<8xf32>

func.func @two(%a: memref<?xf32>, %b: memref<?xf32>, %i: index) {
  lens.distinct_objects(%a, %b : memref<?xf32>, memref<?xf32>) {
  ^bb0(%x: memref<?xf32>, %y: memref<?xf32>):
    %0 = memref.load %x[%i] {probe = "x"} : memref<?xf32>
    memref.store %0, %y[%i] {probe = "y"} : memref<?xf32>
    memref.store %0, %x[%i] {probe = "x2"} : memref<?xf32>
    // Nothing is said of what is not an argument.
    memref.store %0, %b[%i] {probe = "b"} : memref<?xf32>
  }
  return
}
// @two x y distinct
// @two x x2 may
// @two x b may
// @two y x2 distinct
// @two y b may
// @two x2 b may

func.func @noneAre(%a: memref<?xf32>, %i: index) -> f32 {
  %g = memref.get_global @g : memref<8xf32>
  %part = memref.subview %g[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %r = lens.distinct_objects(%a : memref<?xf32>) none_are(%g : memref<8xf32>) -> f32 {
  ^bb0(%x: memref<?xf32>):
    %0 = memref.load %x[%i] {probe = "x"} : memref<?xf32>
    memref.store %0, %g[%i] {probe = "g"} : memref<8xf32>
    // Made of %g, so within it.
    memref.store %0, %part[%i] {probe = "part"} : memref<4xf32, strided<[1], offset: 4>>
    lens.yield %0 : f32
  }
  return %r : f32
}
// @noneAre x g none-are
// @noneAre x part none-are
// @noneAre g part may

// Subviews inside and outside.
func.func @subviews(%a: memref<16xf32>, %i: index, %j: index) {
  %s = memref.subview %a[%i] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  %t = memref.subview %a[%j] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  lens.distinct_objects(%s, %t : memref<4xf32, strided<[1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>) {
  ^bb0(%x: memref<4xf32, strided<[1], offset: ?>>, %y: memref<4xf32, strided<[1], offset: ?>>):
    %0 = memref.load %x[%i] {probe = "x"} : memref<4xf32, strided<[1], offset: ?>>
    memref.store %0, %y[%i] {probe = "y"} : memref<4xf32, strided<[1], offset: ?>>
  }
  // The views were sunk into the region: one memref, two arguments.
  lens.distinct_objects(%a, %a : memref<16xf32>, memref<16xf32>) {
  ^bb0(%x: memref<16xf32>, %y: memref<16xf32>):
    %p = memref.subview %x[%i] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    %q = memref.subview %y[%j] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    %0 = memref.load %p[%i] {probe = "p"} : memref<4xf32, strided<[1], offset: ?>>
    memref.store %0, %q[%i] {probe = "q"} : memref<4xf32, strided<[1], offset: ?>>
  }
  return
}
// @subviews x y distinct
// @subviews x p may
// @subviews x q may
// @subviews y p may
// @subviews y q may
// @subviews p q distinct

// Through selects and loops inside; one that may be both is not distinct.
func.func @flow(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>, %i: index, %cond: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  lens.distinct_objects(%a, %b, %c : memref<8xf32>, memref<8xf32>, memref<8xf32>) {
  ^bb0(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>):
    %0 = memref.load %z[%i] {probe = "z"} : memref<8xf32>
    %s = arith.select %cond, %x, %y : memref<8xf32>
    memref.store %0, %s[%i] {probe = "xOrY"} : memref<8xf32>
    %r = scf.for %k = %c0 to %i step %c1 iter_args(%m = %x) -> (memref<8xf32>) {
      memref.store %0, %m[%i] {probe = "carried"} : memref<8xf32>
      scf.yield %y : memref<8xf32>
    }
    memref.store %0, %y[%i] {probe = "y"} : memref<8xf32>
  }
  return
}
// @flow z xOrY distinct
// @flow z carried distinct
// @flow z y distinct
// @flow xOrY carried may
// @flow xOrY y may
// @flow carried y may

// What an earlier run of the region had is not what this one has.
func.func @earlierRun(%a: memref<8xf32>, %n: index, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<8xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<8xf32>) {
    %now = memref.alloc() : memref<8xf32>
    lens.distinct_objects(%a : memref<8xf32>) none_are(%now : memref<8xf32>) {
    ^bb0(%x: memref<8xf32>):
      %0 = memref.load %x[%i] {probe = "x"} : memref<8xf32>
      memref.store %0, %now[%i] {probe = "now"} : memref<8xf32>
      memref.store %0, %old[%i] {probe = "old"} : memref<8xf32>
    }
    scf.yield %now : memref<8xf32>
  }
  return
}
// @earlierRun x now none-are
// @earlierRun x old may
// @earlierRun now old may
