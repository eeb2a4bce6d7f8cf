// Rejected: "MemRef value does not have valid ownership" The same cause with an argument of the function, which nobody would free anyway.
func.func private @consume(memref<8xf32>, memref<8xf32>)

func.func @forwardedArgument(%input: memref<8xf32>, %which: i1) {
  cf.cond_br %which, ^use(%input : memref<8xf32>), ^end
^use(%data: memref<8xf32>):
  call @consume(%data, %input) : (memref<8xf32>, memref<8xf32>) -> ()
  cf.br ^end
^end:
  return
}
