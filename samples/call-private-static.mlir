// The same call of a private function without dynamic ownership: the callee must own what it returns, so it copies where needed.
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

func.func @callPrivateStatic(%input: memref<8xf32>, %make: i1) {
  %result = call @pickOrMake(%input, %make)
    : (memref<8xf32>, i1) -> memref<8xf32>
  call @consume(%result) : (memref<8xf32>) -> ()
  return
}
