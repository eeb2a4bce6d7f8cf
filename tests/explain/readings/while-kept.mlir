// A scf.while that canonicalize leaves as it is.
//? must: false on entry: scf.while borrows its operand %a
//? must: true yielded by the after region of scf.while (9:8), with %t
//? must: yielded by the before region of scf.while (9:8), with %x
//? not: false where scf.while
func.func private @use(memref<4xf32>)
func.func private @cond(memref<4xf32>) -> i1
func.func @kept(%a: memref<4xf32>) {
  %r = scf.while (%x = %a) : (memref<4xf32>) -> (memref<4xf32>) {
    %go = func.call @cond(%x) : (memref<4xf32>) -> i1
    scf.condition(%go) %x : memref<4xf32>
  } do {
  ^bb0(%v: memref<4xf32>):
    %t = memref.alloc() : memref<4xf32>
    func.call @use(%v) : (memref<4xf32>) -> ()
    func.call @use(%t) : (memref<4xf32>) -> ()
    scf.yield %t : memref<4xf32>
  }
  call @use(%r) : (memref<4xf32>) -> ()
  return
}
