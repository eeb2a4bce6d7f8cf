// Rejected: "No deallocation operations must be present when running this pass!" The input has a bufferization.dealloc already.
func.func @existingDealloc(%first: memref<8xf32>, %second: memref<8xf32>, %own: i1) -> i1 {
  %kept = bufferization.dealloc (%first : memref<8xf32>) if (%own)
    retain (%second : memref<8xf32>)
  return %kept : i1
}
