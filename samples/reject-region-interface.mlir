// Rejected: "All operations with attached regions need to implement the RegionBranchOpInterface." The op yields from a region in its own way.
func.func @regionInterface(%buffer: memref<8xf32>, %at: index, %value: f32) -> f32 {
  %old = memref.generic_atomic_rmw %buffer[%at] : memref<8xf32> {
  ^bb0(%current: f32):
    %sum = arith.addf %current, %value : f32
    memref.atomic_yield %sum : f32
  }
  return %old : f32
}
