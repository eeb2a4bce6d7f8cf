// Both branches of an scf.if yield one buffer, so %result is no critical alias; %scratch is freed in its branch. Behind the pass 0 clones and 1 dealloc, in the end 0 and 1.
// options: --pipeline=classic
func.func @nestedIf(%rows: index, %columns: index) -> memref<?x?xf32> {
  %square = arith.cmpi eq, %rows, %columns : index
  %buffer = memref.alloc(%rows, %rows) : memref<?x?xf32>
  %result = scf.if %square -> (memref<?x?xf32>) {
    scf.yield %buffer : memref<?x?xf32>
  } else {
    %scratch = memref.alloc(%rows, %columns) : memref<?x?xf32>
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%scratch : memref<?x?xf32>)
    memref.copy %scratch, %buffer : memref<?x?xf32> to memref<?x?xf32>
    scf.yield %buffer : memref<?x?xf32>
  }
  return %result : memref<?x?xf32>
}
