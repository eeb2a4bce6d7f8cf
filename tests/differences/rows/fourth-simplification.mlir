// Its fourth pattern makes the first result true although the dealloc stays.
// args: --buffer-deallocation-simplification
// has: bufferization\.dealloc \(%0 : memref<4xf32>\) if \(%true\) retain \(%0, %1
// has: return %true, %2#1 : i1, i1
func.func private @get() -> memref<4xf32>
func.func @two() -> (i1, i1) {
  %true = arith.constant true
  %a = call @get() : () -> memref<4xf32>
  %b = call @get() : () -> memref<4xf32>
  %0:2 = bufferization.dealloc (%a : memref<4xf32>) if (%true)
      retain (%a, %b : memref<4xf32>, memref<4xf32>)
  return %0#0, %0#1 : i1, i1
}
