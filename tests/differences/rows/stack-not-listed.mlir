// args: --ownership-based-buffer-deallocation
// count 1: extract_strided_metadata
// has: extract_strided_metadata %alloc :
// has: bufferization\.dealloc \(%\w+ : memref<f32>\) if \(%\w+\)$
func.func @heap_and_stack() {
  %heap = memref.alloc() : memref<4xf32>
  %stack = memref.alloca() : memref<4xf32>
  memref.copy %heap, %stack : memref<4xf32> to memref<4xf32>
  return
}
