// Both edges go to one block.
//? must: %x (11:6, argument of ^end, merged by canonicalize into arith.select)
//? not: %select
func.func private @use(memref<4xf32>)
func.func @merged(%c: i1, %p: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  // The edges hand on different buffers.
  cf.cond_br %c, ^end(%a : memref<4xf32>), ^end(%p : memref<4xf32>)

^end(%x: memref<4xf32>):
  return %x : memref<4xf32>
}
