// One region of sample.region_if allocates: %joined and %result are critical aliases, and each yield passes a copy. Behind the pass 3 clones and 3 deallocs, in the end 1 and 1.
// options: --pipeline=classic
func.func @regionIfDivergent(%pick: i1, %rows: index, %columns: index)
    -> memref<?x?xf32> {
  %buffer = memref.alloc(%rows, %rows) : memref<?x?xf32>
  %result = sample.region_if %pick (%buffer : memref<?x?xf32>) -> memref<?x?xf32>
  then(%inThen: memref<?x?xf32>) {
    sample.yield %inThen : memref<?x?xf32>
  } else(%inElse: memref<?x?xf32>) {
    %fresh = memref.alloc(%rows, %columns) : memref<?x?xf32>
    sample.yield %fresh : memref<?x?xf32>
  } join(%joined: memref<?x?xf32>) {
    sample.yield %joined : memref<?x?xf32>
  }
  return %result : memref<?x?xf32>
}
