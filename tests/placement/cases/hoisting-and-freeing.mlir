// pass: lens-hoist-free

// The path that has no use for the buffer frees it, under a condition.
// expected-warning @below {{moreConditionalFrees; 1 to 2}}
func.func @worse(%c: i1, %arg: memref<4xi64>, %out: memref<4xi64>) {
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

// -----

func.func @same(%out: memref<4xi64>) {
  cf.br ^next
^next:
  %a = memref.alloc() : memref<4xi64>
  memref.copy %a, %out : memref<4xi64> to memref<4xi64>
  return
}
