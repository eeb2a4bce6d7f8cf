// Rejected: "Terminators with more than one successor are not supported!" A cf.switch forwards a memref.
func.func private @consume(memref<8xf32>)

func.func @switchWithMemref(%buffer: memref<8xf32>, %other: memref<8xf32>, %which: i32) {
  cf.switch %which : i32, [
    default: ^use(%buffer : memref<8xf32>),
    1: ^use(%other : memref<8xf32>),
    2: ^end
  ]
^use(%data: memref<8xf32>):
  call @consume(%data) : (memref<8xf32>) -> ()
  cf.br ^end
^end:
  return
}
