// Two arguments of one block: two selects, each under its own name.
//? must: %a (6:3): deallocated at the end of ^end; passed to ^end as %x
//? not: %select
func.func private @use(memref<4xf32>)
func.func @merged(%c: i1, %p: memref<4xf32>, %q: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  call @use(%b) : (memref<4xf32>) -> ()
  cf.cond_br %c, ^end(%a, %q : memref<4xf32>, memref<4xf32>), ^end(%p, %b : memref<4xf32>, memref<4xf32>)
^end(%x: memref<4xf32>, %y: memref<4xf32>):
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}
