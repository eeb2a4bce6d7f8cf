// Canonicalize drops the unused result and its operand: the loop is another op.
//? must: false on entry: scf.while borrows its operand %a
//? must: true yielded by the after region of scf.while (8:10), with %t
func.func private @use(memref<4xf32>)
func.func private @cond(memref<4xf32>) -> i1
func.func @unused(%a: memref<4xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%x = %a, %k = %n) : (memref<4xf32>, index) -> (memref<4xf32>, index) {
    %go = func.call @cond(%x) : (memref<4xf32>) -> i1
    scf.condition(%go) %x, %k : memref<4xf32>, index
  } do {
  ^bb0(%v: memref<4xf32>, %l: index):
    %t = memref.alloc() : memref<4xf32>
    func.call @use(%v) : (memref<4xf32>) -> ()
    func.call @use(%t) : (memref<4xf32>) -> ()
    scf.yield %t, %c1 : memref<4xf32>, index
  }
  call @use(%r#0) : (memref<4xf32>) -> ()
  return
}
