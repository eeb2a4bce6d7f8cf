// Two arguments of the caller that change places are never owned.
//? must: never deallocated: scf.while (9:10) carries them without ownership
//? must: %r#0, %r#1, %x
//? not: owned if
//? not: deallocated at
func.func private @cond(memref<4xf32>) -> i1
func.func private @use(memref<4xf32>)
func.func @swapped(%a: memref<4xf32>, %b: memref<4xf32>) {
  %r:2 = scf.while (%x = %a, %y = %b) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
    %go = func.call @cond(%x) : (memref<4xf32>) -> i1
    scf.condition(%go) %y, %x : memref<4xf32>, memref<4xf32>
  } do {
  ^bb0(%u: memref<4xf32>, %v: memref<4xf32>):
    func.call @use(%u) : (memref<4xf32>) -> ()
    scf.yield %u, %v : memref<4xf32>, memref<4xf32>
  }
  call @use(%r#0) : (memref<4xf32>) -> ()
  call @use(%r#1) : (memref<4xf32>) -> ()
  return
}
