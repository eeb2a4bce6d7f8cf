// Not verified: "can be used only on ops that have an allocation and/or free side effect" The attribute stands on an op that does neither.
// exit: 3
func.func @manualMisuse(%input: memref<8xf32>, %at: index) -> f32 {
  %value = memref.load %input[%at] {bufferization.manual_deallocation} : memref<8xf32>
  return %value : f32
}
