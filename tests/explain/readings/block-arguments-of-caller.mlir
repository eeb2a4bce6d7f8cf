// Branches that pass on nothing but arguments of the function.
//? must: %x (13:6): never deallocated here: %own_x is false on every path
//? not: owned if
func.func private @use(memref<4xf32>)
func.func @borrowed(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  call @use(%a) : (memref<4xf32>) -> ()
  cf.br ^bb3(%a : memref<4xf32>)
^bb2:
  call @use(%b) : (memref<4xf32>) -> ()
  cf.br ^bb3(%b : memref<4xf32>)
^bb3(%x: memref<4xf32>):
  call @use(%x) : (memref<4xf32>) -> ()
  return
}
