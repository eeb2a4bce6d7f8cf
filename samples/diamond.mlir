// A diamond: one side allocates, the other passes the argument on, and the join frees only what is owned.
func.func private @consume(memref<16xf32>)

func.func @diamond(%input: memref<16xf32>, %needsCopy: i1) {
  cf.cond_br %needsCopy, ^copy, ^reuse
^copy:
  %copy = memref.alloc() : memref<16xf32>
  memref.copy %input, %copy : memref<16xf32> to memref<16xf32>
  cf.br ^join(%copy : memref<16xf32>)
^reuse:
  cf.br ^join(%input : memref<16xf32>)
^join(%data: memref<16xf32>):
  call @consume(%data) : (memref<16xf32>) -> ()
  return
}
