// A copy right before its source is freed: canonicalize uses the source in place of the copy, and the clone and the dealloc of the source go. Behind the pass 1 clone and 1 dealloc, in the end 0 and 0.
// options: --pipeline=classic
func.func @cloneOfSource(%rows: index, %columns: index) -> memref<?x?xf32> {
  %made = memref.alloc(%rows, %columns) : memref<?x?xf32>
  %copy = bufferization.clone %made : memref<?x?xf32> to memref<?x?xf32>
  return %copy : memref<?x?xf32>
}
