// An op of the consumer's own dialect, which needs no memref.
func.func @own(%size: index) {
  %buffer = memref.alloc(%size) : memref<?xf32>
  %value = "mine.value"() : () -> f32
  %zero = arith.constant 0 : index
  memref.store %value, %buffer[%zero] : memref<?xf32>
  return
}
