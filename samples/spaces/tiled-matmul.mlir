// A matrix product in tiles: panels come from main memory into L2 (space 1), and tiles of them into L1 (space 2).
// options: --space 1=L2,16KiB --space 2=L1,4KiB
func.func private @load_panel(%matrix: memref<64x64xf32>, %panel: memref<16x64xf32, 1>, %row: index) {
  %rows = memref.subview %matrix[%row, 0] [16, 64] [1, 1]
    : memref<64x64xf32> to memref<16x64xf32, strided<[64, 1], offset: ?>>
  memref.copy %rows, %panel : memref<16x64xf32, strided<[64, 1], offset: ?>> to memref<16x64xf32, 1>
  return
}

func.func private @load_tile(%panel: memref<16x64xf32, 1>, %tile: memref<16x16xf32, 2>, %column: index) {
  %part = memref.subview %panel[0, %column] [16, 16] [1, 1]
    : memref<16x64xf32, 1> to memref<16x16xf32, strided<[64, 1], offset: ?>, 1>
  memref.copy %part, %tile : memref<16x16xf32, strided<[64, 1], offset: ?>, 1> to memref<16x16xf32, 2>
  return
}

// The product of a tile and of another one that is transposed, added to the sum.
func.func private @multiply(%left: memref<16x16xf32, 2>, %right: memref<16x16xf32, 2>, %sum: memref<16x16xf32, 2>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%left, %right : memref<16x16xf32, 2>, memref<16x16xf32, 2>) outs(%sum : memref<16x16xf32, 2>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %product = arith.mulf %a, %b : f32
    %added = arith.addf %c, %product : f32
    linalg.yield %added : f32
  }
  return
}

func.func @matmul_transposed(%lhs: memref<64x64xf32>, %rhs: memref<64x64xf32>, %result: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c64 step %c16 {
    %lhs_panel = memref.alloc() : memref<16x64xf32, 1>
    func.call @load_panel(%lhs, %lhs_panel, %i) : (memref<64x64xf32>, memref<16x64xf32, 1>, index) -> ()
    scf.for %j = %c0 to %c64 step %c16 {
      %rhs_panel = memref.alloc() : memref<16x64xf32, 1>
      func.call @load_panel(%rhs, %rhs_panel, %j) : (memref<64x64xf32>, memref<16x64xf32, 1>, index) -> ()
      %sum = memref.alloc() : memref<16x16xf32, 2>
      linalg.fill ins(%zero : f32) outs(%sum : memref<16x16xf32, 2>)
      // Two tiles a round: the second pair comes in while the first one is multiplied.
      scf.for %k = %c0 to %c64 step %c32 {
        %next = arith.addi %k, %c16 : index
        %left_ping = memref.alloc() : memref<16x16xf32, 2>
        %right_ping = memref.alloc() : memref<16x16xf32, 2>
        %left_pong = memref.alloc() : memref<16x16xf32, 2>
        %right_pong = memref.alloc() : memref<16x16xf32, 2>
        func.call @load_tile(%lhs_panel, %left_ping, %k) : (memref<16x64xf32, 1>, memref<16x16xf32, 2>, index) -> ()
        func.call @load_tile(%rhs_panel, %right_ping, %k) : (memref<16x64xf32, 1>, memref<16x16xf32, 2>, index) -> ()
        func.call @multiply(%left_ping, %right_ping, %sum) : (memref<16x16xf32, 2>, memref<16x16xf32, 2>, memref<16x16xf32, 2>) -> ()
        func.call @load_tile(%lhs_panel, %left_pong, %next) : (memref<16x64xf32, 1>, memref<16x16xf32, 2>, index) -> ()
        func.call @load_tile(%rhs_panel, %right_pong, %next) : (memref<16x64xf32, 1>, memref<16x16xf32, 2>, index) -> ()
        func.call @multiply(%left_pong, %right_pong, %sum) : (memref<16x16xf32, 2>, memref<16x16xf32, 2>, memref<16x16xf32, 2>) -> ()
      }
      %place = memref.subview %result[%i, %j] [16, 16] [1, 1]
        : memref<64x64xf32> to memref<16x16xf32, strided<[64, 1], offset: ?>>
      memref.copy %sum, %place : memref<16x16xf32, 2> to memref<16x16xf32, strided<[64, 1], offset: ?>>
    }
  }
  return
}
