// args: --ownership-based-buffer-deallocation
// has: memref\.dealloc %alloc \{bufferization\.manual_deallocation\}
// not: bufferization\.dealloc
func.func @marked() {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return
}
