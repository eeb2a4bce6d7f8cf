// A call of a private function under dynamic ownership: one i1 result for each memref result, and no copy.
// options: --private-function-dynamic-ownership
func.func private @pickOrMake(%given: memref<8xf32>, %make: i1) -> memref<8xf32> {
  cf.cond_br %make, ^make, ^pick
^make:
  %fresh = memref.alloc() : memref<8xf32>
  memref.copy %given, %fresh : memref<8xf32> to memref<8xf32>
  cf.br ^done(%fresh : memref<8xf32>)
^pick:
  cf.br ^done(%given : memref<8xf32>)
^done(%result: memref<8xf32>):
  return %result : memref<8xf32>
}

func.func private @consume(memref<8xf32>)

func.func @callPrivate(%input: memref<8xf32>, %make: i1) {
  %result = call @pickOrMake(%input, %make)
    : (memref<8xf32>, i1) -> memref<8xf32>
  call @consume(%result) : (memref<8xf32>) -> ()
  return
}
