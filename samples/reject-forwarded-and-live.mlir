// Rejected: "MemRef value does not have valid ownership" A value is forwarded to a block and also used there directly, on one edge of a cond_br.
func.func private @consume(memref<8xf32>, memref<8xf32>)

func.func @forwardedAndLive(%input: memref<8xf32>, %which: i1) {
  %buffer = memref.alloc() : memref<8xf32>
  memref.copy %input, %buffer : memref<8xf32> to memref<8xf32>
  cf.cond_br %which, ^use(%buffer : memref<8xf32>), ^end
^use(%data: memref<8xf32>):
  call @consume(%data, %buffer) : (memref<8xf32>, memref<8xf32>) -> ()
  cf.br ^end
^end:
  return
}
