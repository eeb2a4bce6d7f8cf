// Rejected: "BranchOpInterface operations with multiple successors are not supported yet" A cf.switch, even where it forwards no memref.
func.func private @consume(i32)

func.func @switch(%which: i32) {
  cf.switch %which : i32, [
    default: ^use(%which : i32),
    1: ^end,
    2: ^end
  ]
^use(%data: i32):
  call @consume(%data) : (i32) -> ()
  cf.br ^end
^end:
  return
}
