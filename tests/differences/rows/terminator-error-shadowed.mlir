// args: --ownership-based-buffer-deallocation
// error: ops with unknown memory side effects are not supported
// not: Terminators must implement
func.func @stops() {
  llvm.unreachable
}
