// One function is rejected, the two others are traced to the end.
func.func @before(%out: memref<8xf32>) {
  %buffer = memref.alloc() : memref<8xf32>
  memref.copy %buffer, %out : memref<8xf32> to memref<8xf32>
  return
}

func.func @rejected(%buffer: memref<8xf32>) {
  memref.dealloc %buffer : memref<8xf32>
  return
}

func.func @after(%given: memref<8xf32>) -> memref<8xf32> {
  return %given : memref<8xf32>
}
