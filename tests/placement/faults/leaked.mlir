// pass: func.func(buffer-hoisting)
// ours: func.func(lens-hoist)
// says: leaked
// without: fence: 0 buffers, 0 left
// with: fence: 1 buffers, 1 left

// As the ownership pipeline leaves it: who owns, frees.
func.func @f(%c: i1, %arg: memref<4xi64>) {
  %false = arith.constant false
  %true = arith.constant true
  cf.cond_br %c, ^given, ^made
^given:
  cf.br ^exit(%arg, %false : memref<4xi64>, i1)
^made:
  %a = memref.alloc() : memref<4xi64>
  cf.br ^exit(%a, %true : memref<4xi64>, i1)
^exit(%m: memref<4xi64>, %own: i1):
  scf.if %own {
    memref.dealloc %m : memref<4xi64>
  }
  return
}
func.func @main() {
  %true = arith.constant true
  %arg = memref.alloca() : memref<4xi64>
  call @f(%true, %arg) : (i1, memref<4xi64>) -> ()
  return
}
