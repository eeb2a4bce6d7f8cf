// Each kind of access, lowered: how many ops of LLVM it becomes that have scopes.

// llvm.atomicrmw 1
func.func @atomic(%p: memref<8xi64>, %v: i64, %i: index) {
  %a = memref.alloc() : memref<8xi64>
  %x = memref.atomic_rmw addi %v, %a[%i] : (i64, memref<8xi64>) -> i64
  memref.store %x, %p[%i] : memref<8xi64>
  return
}

// llvm.cmpxchg 1
func.func @exchange(%p: memref<8xi64>, %i: index) {
  %a = memref.alloc() : memref<8xi64>
  %x = memref.generic_atomic_rmw %a[%i] : memref<8xi64> {
  ^bb0(%old: i64):
    %new = arith.addi %old, %old : i64
    memref.atomic_yield %new : i64
  }
  memref.store %x, %p[%i] : memref<8xi64>
  return
}

// llvm.load 2
func.func @vectors(%p: memref<8xf32>, %i: index) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  %x = vector.load %p[%i] : memref<8xf32>, vector<4xf32>
  vector.store %x, %a[%i] : memref<8xf32>, vector<4xf32>
  %y = vector.transfer_read %a[%i], %zero {in_bounds = [true]}
      : memref<8xf32>, vector<4xf32>
  vector.transfer_write %y, %p[%i] {in_bounds = [true]}
      : vector<4xf32>, memref<8xf32>
  return
}

// llvm.load 1
func.func @affine(%p: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    %x = affine.load %p[%i] : memref<8xf32>
    affine.store %x, %a[%i] : memref<8xf32>
  }
  return
}

// llvm.store 3
func.func @linalg(%p: memref<8xf32>, %f: f32) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloca() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  linalg.map ins(%p, %a : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
    (%x: f32, %y: f32, %z: f32) {
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    }
  linalg.copy ins(%b : memref<8xf32>) outs(%p : memref<8xf32>)
  return
}

// llvm.intr.memcpy 1
func.func @copy(%p: memref<8xf32>, %q: memref<8xf32>, %f: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %p, %q : memref<8xf32> to memref<8xf32>
  memref.store %f, %a[%i] : memref<8xf32>
  return
}

// llvm.store 2
func.func @views(%p: memref<8xf32>, %f: f32, %i: index) {
  %a = memref.alloc() : memref<64xi8>
  %c0 = arith.constant 0 : index
  %v = memref.view %a[%c0][] : memref<64xi8> to memref<4x4xf32>
  %s = memref.subview %v[%i, 0] [1, 4] [1, 1]
      : memref<4x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  %c = memref.cast %s : memref<4xf32, strided<[1], offset: ?>>
      to memref<?xf32, strided<[?], offset: ?>>
  memref.store %f, %c[%i] : memref<?xf32, strided<[?], offset: ?>>
  memref.store %f, %p[%i] : memref<8xf32>
  return
}
