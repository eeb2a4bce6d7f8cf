// The clone-based pass goes by interfaces, so an op of any dialect will do: one buffer goes through three regions of sample.region_if and is returned under a fifth name. Behind the pass 0 clones and 0 deallocs, in the end 0 and 0.
// options: --pipeline=classic
func.func @regionIf(%pick: i1, %rows: index) -> memref<?x?xf32> {
  %buffer = memref.alloc(%rows, %rows) : memref<?x?xf32>
  %result = sample.region_if %pick (%buffer : memref<?x?xf32>) -> memref<?x?xf32>
  then(%inThen: memref<?x?xf32>) {
    sample.yield %inThen : memref<?x?xf32>
  } else(%inElse: memref<?x?xf32>) {
    sample.yield %inElse : memref<?x?xf32>
  } join(%joined: memref<?x?xf32>) {
    sample.yield %joined : memref<?x?xf32>
  }
  return %result : memref<?x?xf32>
}
