// Rejected: "Only structured control-flow loops are supported." A cf loop has a back edge; lift-cf-to-scf removes it.
func.func private @step(memref<8xf32>) -> i1

func.func @loop(%buffer: memref<8xf32>) {
  %work = memref.alloc() : memref<8xf32>
  memref.copy %buffer, %work : memref<8xf32> to memref<8xf32>
  cf.br ^head
^head:
  %again = call @step(%work) : (memref<8xf32>) -> i1
  cf.cond_br %again, ^head, ^done
^done:
  return
}
