// Private functions that return ownership beside the memref.
func.func private @use(memref<8xf32>)

func.func private @pick(%given: memref<8xf32>, %choice: i1) -> memref<8xf32> {
  %made = memref.alloc() : memref<8xf32>
  %either = arith.select %choice, %made, %given : memref<8xf32>
  return %given : memref<8xf32>
}

func.func @caller(%given: memref<8xf32>, %choice: i1) -> memref<8xf32> {
  %picked = call @pick(%given, %choice)
      : (memref<8xf32>, i1) -> memref<8xf32>
  %made = call @external() : () -> memref<8xf32>
  call @use(%made) : (memref<8xf32>) -> ()
  return %picked : memref<8xf32>
}

func.func private @external() -> memref<8xf32>
