// Under two names by one return; and by a return that canonicalize removes, since
// both branches ask the same.
//? must: %a (10:3): returned at 12:3; the caller owns it; and there as %s too
//? must: %b (15:3): returned at 23:3; the caller owns it
//? not: (21:3)
func.func private @use(memref<4xf32>)
func.func @twice() -> (memref<4xf32>, memref<2xf32, strided<[1], offset: 2>>) {
  // One allocation.

  %a = memref.alloc() : memref<4xf32>
  %s = memref.subview %a[2][2][1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  return %a, %s : memref<4xf32>, memref<2xf32, strided<[1], offset: 2>>
}
func.func @unreached(%c: i1) -> memref<4xf32> {
  %b = memref.alloc() : memref<4xf32>
  call @use(%b) : (memref<4xf32>) -> ()
  cf.cond_br %c, ^yes, ^end
^yes:
  cf.cond_br %c, ^end, ^never
^never:
  return %b : memref<4xf32>
^end:
  return %b : memref<4xf32>
}
