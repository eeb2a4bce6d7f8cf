// args: --ownership-based-buffer-deallocation
// has: memref\.alloc
// not: dealloc
gpu.module @device {
  gpu.func @kernel(%m: memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    gpu.return
  }
}
