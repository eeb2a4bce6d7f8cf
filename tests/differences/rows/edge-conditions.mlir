// args: --ownership-based-buffer-deallocation
// count 2: arith\.xori %true\w*, %arg0
// count 4: arith\.andi
// has: arith\.andi %true\w*, %arg0
func.func @two_ways(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return
^bb2:
  return
}
