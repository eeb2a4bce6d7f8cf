// args: --ownership-based-buffer-deallocation
// has: return %alloc, %alloc
// not: clone
func.func @same_twice() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  return %a, %a : memref<4xf32>, memref<4xf32>
}
