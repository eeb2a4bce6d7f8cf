// The attribute on the deallocation alone: accepted, asserted, and freed again.
// args: --ownership-based-buffer-deallocation
// then: cf\.assert %\w+, "expected that the block does not have ownership"
// then: memref\.dealloc %alloc \{bufferization\.manual_deallocation\}
// then: bufferization\.dealloc \(%base_buffer : memref<f32>\) if \(%true
func.func @by_hand() {
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return
}
