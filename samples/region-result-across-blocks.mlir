// The result of an scf.if that is used in another block: upstream frees it before that use (stale liveness); the trace does not.
func.func private @consume(memref<8xf32>)

func.func @regionResultAcrossBlocks(%input: memref<8xf32>, %make: i1, %early: i1) {
  %data = scf.if %make -> (memref<8xf32>) {
    %fresh = memref.alloc() : memref<8xf32>
    memref.copy %input, %fresh : memref<8xf32> to memref<8xf32>
    scf.yield %fresh : memref<8xf32>
  } else {
    scf.yield %input : memref<8xf32>
  }
  cf.cond_br %early, ^skip, ^use
^use:
  call @consume(%data) : (memref<8xf32>) -> ()
  cf.br ^skip
^skip:
  return
}
