// scf.forall: what a thread allocates is freed at its in_parallel; what lies outside is not owned inside.
func.func @forAll(%input: memref<64xf32>, %output: memref<64xf32>) {
  %shared = memref.alloc() : memref<64xf32>
  memref.copy %input, %shared : memref<64xf32> to memref<64xf32>
  scf.forall (%i) in (64) {
    %local = memref.alloc() : memref<1xf32>
    %view = memref.subview %shared[%i] [1] [1]
      : memref<64xf32> to memref<1xf32, strided<[1], offset: ?>>
    memref.copy %view, %local
      : memref<1xf32, strided<[1], offset: ?>> to memref<1xf32>
    %target = memref.subview %output[%i] [1] [1]
      : memref<64xf32> to memref<1xf32, strided<[1], offset: ?>>
    memref.copy %local, %target
      : memref<1xf32> to memref<1xf32, strided<[1], offset: ?>>
  }
  return
}
