// Two results that alias: a buffer and a view of it are both returned, and the pass does not prevent it.
func.func @aliasingResults(%value: f32)
    -> (memref<16xf32>, memref<4xf32, strided<[1], offset: 8>>) {
  %whole = memref.alloc() : memref<16xf32>
  linalg.fill ins(%value : f32) outs(%whole : memref<16xf32>)
  %part = memref.subview %whole[8] [4] [1]
    : memref<16xf32> to memref<4xf32, strided<[1], offset: 8>>
  return %whole, %part
    : memref<16xf32>, memref<4xf32, strided<[1], offset: 8>>
}
