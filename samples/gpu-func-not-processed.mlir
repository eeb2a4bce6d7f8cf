// A gpu.func is never visited by the pass: the buffer in the kernel leaks, the one in the function is freed.
gpu.module @kernels {
  gpu.func @leaks(%out: memref<8xf32>) kernel {
    %lost = memref.alloc() : memref<8xf32>
    memref.copy %lost, %out : memref<8xf32> to memref<8xf32>
    gpu.return
  }
}

func.func @freed(%out: memref<8xf32>) {
  %kept = memref.alloc() : memref<8xf32>
  memref.copy %kept, %out : memref<8xf32> to memref<8xf32>
  return
}
