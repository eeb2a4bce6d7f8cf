// A block with one predecessor: its argument is what the branch hands on.
//? must: %x (12:6): replaced by %a (8:3) before the ownership pass
//? not: removed before the ownership pass
func.func private @use(memref<4xf32>)
func.func @merged() -> memref<4xf32> {
  // Allocated in front.

  %a = memref.alloc() : memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  cf.br ^end(%a : memref<4xf32>)

^end(%x: memref<4xf32>):
  call @use(%x) : (memref<4xf32>) -> ()
  return %x : memref<4xf32>
}
