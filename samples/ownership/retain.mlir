// Ownership: of two buffers one is forwarded to ^use, so the dealloc in front of the branch retains it.
func.func @retain(%pick: i1, %isDone: i1, %value: f32, %out: memref<8xf32>) {
  %first = memref.alloc() : memref<8xf32>
  %second = memref.alloc() : memref<8xf32>
  linalg.fill ins(%value : f32) outs(%first : memref<8xf32>)
  linalg.fill ins(%value : f32) outs(%second : memref<8xf32>)
  %chosen = arith.select %pick, %first, %second : memref<8xf32>
  cf.cond_br %isDone, ^done, ^use(%chosen : memref<8xf32>)
^use(%kept: memref<8xf32>):
  memref.copy %kept, %out : memref<8xf32> to memref<8xf32>
  cf.br ^done
^done:
  return
}
