// Ownership: a function that returns its argument clones it, since its caller deallocates what it gets.
func.func private @read(memref<8xf32>)

func.func @same(%given: memref<8xf32>) -> memref<8xf32> {
  return %given : memref<8xf32>
}

func.func @caller(%mine: memref<8xf32>) {
  %result = call @same(%mine) : (memref<8xf32>) -> memref<8xf32>
  call @read(%result) : (memref<8xf32>) -> ()
  return
}
