// The first function is rewritten already, and of two faults one is reported.
// args: --ownership-based-buffer-deallocation --mlir-print-ir-after-failure
// error: ops with unknown memory side effects are not supported
// count 1: error:
// then: func\.func @first
// then: bufferization\.dealloc
// then: func\.func @second
func.func @first() {
  %a = memref.alloc() : memref<4xf32>
  return
}
func.func @second() {
  gpu.barrier
  gpu.barrier
  return
}
