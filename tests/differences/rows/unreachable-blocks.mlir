// Neither is the loop refused, nor is the buffer freed.
// args: --ownership-based-buffer-deallocation
// has: memref\.alloc
// not: dealloc
func.func @stops() {
  return
^bb1:
  %a = memref.alloc() : memref<4xf32>
  cf.br ^bb1
}
