// pass: func.func(buffer-hoisting)
// ours: func.func(lens-hoist)
// says: allocatedUnused
// without: fence: 0 buffers, 0 left
// with: fence: 1 buffers, 0 left
// then: buffer-deallocation-pipeline

// Freed by the pipeline, which runs behind the pass.
func.func private @f(%c: i1, %arg: memref<4xi64>, %out: memref<4xi64>) {
  cf.cond_br %c, ^given, ^made
^given:
  cf.br ^exit(%arg : memref<4xi64>)
^made:
  %a = memref.alloc() : memref<4xi64>
  memref.copy %arg, %a : memref<4xi64> to memref<4xi64>
  cf.br ^exit(%a : memref<4xi64>)
^exit(%m: memref<4xi64>):
  memref.copy %m, %out : memref<4xi64> to memref<4xi64>
  return
}
func.func @main() {
  %true = arith.constant true
  %arg = memref.alloca() : memref<4xi64>
  %out = memref.alloca() : memref<4xi64>
  call @f(%true, %arg, %out) : (i1, memref<4xi64>, memref<4xi64>) -> ()
  return
}
