// A cf loop made acceptable: lift-cf-to-scf runs before the pipeline and turns the loop into an scf.while.
// options: --pre=lift-cf-to-scf
func.func private @step(memref<8xf32>) -> i1

func.func @lifted(%buffer: memref<8xf32>) {
  %work = memref.alloc() : memref<8xf32>
  memref.copy %buffer, %work : memref<8xf32> to memref<8xf32>
  cf.br ^head
^head:
  %again = call @step(%work) : (memref<8xf32>) -> i1
  cf.cond_br %again, ^head, ^done
^done:
  return
}
