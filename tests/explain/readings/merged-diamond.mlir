// On one path the argument is the caller's, and a clone is returned.
//? must: %x (15:6, argument of ^end, merged by canonicalize into arith.select)
//? must: %x is cloned to %owned_x unless owned
//? must: returned at 17:3, as itself if %c, else as the clone %owned_x
//? not: (made for %x
//? not: %select
//? not: removed before the ownership pass
func.func private @use(memref<4xf32>)
func.func @merged(%c: i1, %p: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  cf.cond_br %c, ^then, ^else
^then: cf.br ^end(%a : memref<4xf32>)
^else: cf.br ^end(%p : memref<4xf32>)
^end(%x: memref<4xf32>):
  call @use(%x) : (memref<4xf32>) -> ()
  return %x : memref<4xf32>
}
