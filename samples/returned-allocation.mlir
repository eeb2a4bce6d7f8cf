// A returned allocation: ownership moves to the caller, so nothing is copied and nothing is freed.
func.func @returnedAllocation(%size: index, %value: f32) -> memref<?xf32> {
  %buffer = memref.alloc(%size) : memref<?xf32>
  linalg.fill ins(%value : f32) outs(%buffer : memref<?xf32>)
  return %buffer : memref<?xf32>
}
