// One head of attention over the steps of a sequence: scores are made anew for each
// step, and a step that is masked out keeps what was before.
func.func @attention(%q: memref<8x16xf32>, %k: memref<8x16xf32>,
                     %v: memref<8x16xf32>, %mask: memref<8xi1>)
    -> memref<16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.alloc() : memref<16xf32>
  linalg.fill ins(%zero : f32) outs(%first : memref<16xf32>)
  %last = scf.for %step = %c0 to %c8 step %c1
      iter_args(%state = %first) -> memref<16xf32> {
    %keeps = memref.load %mask[%step] : memref<8xi1>
    %next = scf.if %keeps -> memref<16xf32> {
      %row = memref.subview %q[%step, 0] [1, 16] [1, 1]
          : memref<8x16xf32> to memref<16xf32, strided<[1], offset: ?>>
      %scores = memref.alloc() : memref<8xf32>
      linalg.fill ins(%zero : f32) outs(%scores : memref<8xf32>)
      linalg.matvec ins(%k, %row
          : memref<8x16xf32>, memref<16xf32, strided<[1], offset: ?>>)
          outs(%scores : memref<8xf32>)
      %mixed = memref.alloc() : memref<16xf32>
      memref.copy %state, %mixed : memref<16xf32> to memref<16xf32>
      linalg.vecmat ins(%scores, %v : memref<8xf32>, memref<8x16xf32>)
          outs(%mixed : memref<16xf32>)
      scf.yield %mixed : memref<16xf32>
    } else {
      scf.yield %state : memref<16xf32>
    }
    scf.yield %next : memref<16xf32>
  }
  return %last : memref<16xf32>
}
