"""A program of which the counts of a run are known by hand, for who shows them.

With n=10, `leaves` leaves three of ten buffers of 32 bytes in a loop of its caller.
"""

LEAVES = """func.func private @leaves(%i: index) -> f32 {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %buffer = memref.alloc() : memref<8xf32>
  memref.store %v, %buffer[%c0] : memref<8xf32>
  %r = memref.load %buffer[%c0] : memref<8xf32>
  %early = arith.cmpi ult, %i, %c3 : index
  cf.cond_br %early, ^end, ^free
^free:
  memref.dealloc %buffer : memref<8xf32>
  cf.br ^end
^end:
  return %r : f32
}
func.func @main(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %r = func.call @leaves(%i) : (index) -> f32
    memref.store %r, %x[%c0] : memref<8xf32>
  }
  return
}
"""
