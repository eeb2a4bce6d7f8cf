// Two diamonds in a row: a buffer made before both is live through them and is freed at the end.
func.func private @consume(memref<16xf32>, memref<16xf32>)

func.func @diamondChain(%input: memref<16xf32>, %first: i1, %second: i1) {
  %kept = memref.alloc() : memref<16xf32>
  memref.copy %input, %kept : memref<16xf32> to memref<16xf32>
  cf.cond_br %first, ^then1, ^else1
^then1:
  %a = memref.alloc() : memref<16xf32>
  memref.copy %kept, %a : memref<16xf32> to memref<16xf32>
  cf.br ^join1(%a : memref<16xf32>)
^else1:
  cf.br ^join1(%input : memref<16xf32>)
^join1(%x: memref<16xf32>):
  cf.cond_br %second, ^then2, ^else2
^then2:
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  cf.br ^join2(%b : memref<16xf32>)
^else2:
  cf.br ^join2(%input : memref<16xf32>)
^join2(%y: memref<16xf32>):
  call @consume(%y, %kept) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}
