// A call of an external function: its result is owned by the caller, its argument is only lent.
func.func private @produce(memref<8xf32>) -> memref<8xf32>
func.func private @consume(memref<8xf32>)

func.func @callExternal(%input: memref<8xf32>) {
  %result = call @produce(%input) : (memref<8xf32>) -> memref<8xf32>
  call @consume(%result) : (memref<8xf32>) -> ()
  return
}
