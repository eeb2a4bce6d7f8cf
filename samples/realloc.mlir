// memref.realloc: expanded first into "grow, or keep the same buffer", so the old buffer is freed only if it moved.
func.func private @consume(memref<?xf32>)

func.func @growing(%size: index, %bigger: index, %value: f32) {
  %old = memref.alloc(%size) : memref<?xf32>
  linalg.fill ins(%value : f32) outs(%old : memref<?xf32>)
  %new = memref.realloc %old(%bigger) : memref<?xf32> to memref<?xf32>
  call @consume(%new) : (memref<?xf32>) -> ()
  return
}
