// args: --ownership-based-buffer-deallocation
// error: must be strided memref
func.func @tiled() {
  %a = memref.alloc()
      : memref<4x4xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>
  return
}
