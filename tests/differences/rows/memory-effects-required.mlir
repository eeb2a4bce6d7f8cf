// args: --ownership-based-buffer-deallocation
// error: ops with unknown memory side effects are not supported
func.func @waits() {
  gpu.barrier
  return
}
