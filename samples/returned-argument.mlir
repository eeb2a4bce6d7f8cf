// A returned argument: the caller gets ownership of each result, so a borrowed buffer is copied.
func.func @returnedArgument(%given: memref<?xf32>) -> memref<?xf32> {
  return %given : memref<?xf32>
}
