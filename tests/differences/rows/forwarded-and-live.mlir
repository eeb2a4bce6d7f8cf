// args: --ownership-based-buffer-deallocation
// error: MemRef value does not have valid ownership
//
// With structured control flow there is no such edge, and it is accepted.
// args: --lift-cf-to-scf --ownership-based-buffer-deallocation
// has: bufferization\.dealloc
func.func @both() {
  %a = memref.alloc() : memref<4xf32>
  cf.br ^bb1(%a : memref<4xf32>)
^bb1(%x: memref<4xf32>):
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  return
}
