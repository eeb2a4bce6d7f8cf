// Nine buffers: seven are named, the others counted.
//? must: or 3 others
func.func private @use(memref<4xf32>)
func.func @nine(%c1: i1, %c2: i1, %c3: i1, %c4: i1, %c5: i1, %c6: i1, %c7: i1, %c8: i1) {
  %b0 = memref.alloc() : memref<4xf32>
  %b1 = memref.alloc() : memref<4xf32>
  %b2 = memref.alloc() : memref<4xf32>
  %b3 = memref.alloc() : memref<4xf32>
  %b4 = memref.alloc() : memref<4xf32>
  %b5 = memref.alloc() : memref<4xf32>
  %b6 = memref.alloc() : memref<4xf32>
  %b7 = memref.alloc() : memref<4xf32>
  %b8 = memref.alloc() : memref<4xf32>
  call @use(%b0) : (memref<4xf32>) -> ()
  call @use(%b1) : (memref<4xf32>) -> ()
  call @use(%b2) : (memref<4xf32>) -> ()
  call @use(%b3) : (memref<4xf32>) -> ()
  call @use(%b4) : (memref<4xf32>) -> ()
  call @use(%b5) : (memref<4xf32>) -> ()
  call @use(%b6) : (memref<4xf32>) -> ()
  call @use(%b7) : (memref<4xf32>) -> ()
  call @use(%b8) : (memref<4xf32>) -> ()
  %s1 = arith.select %c1, %b1, %b0 : memref<4xf32>
  %s2 = arith.select %c2, %b2, %s1 : memref<4xf32>
  %s3 = arith.select %c3, %b3, %s2 : memref<4xf32>
  %s4 = arith.select %c4, %b4, %s3 : memref<4xf32>
  %s5 = arith.select %c5, %b5, %s4 : memref<4xf32>
  %s6 = arith.select %c6, %b6, %s5 : memref<4xf32>
  %s7 = arith.select %c7, %b7, %s6 : memref<4xf32>
  %s8 = arith.select %c8, %b8, %s7 : memref<4xf32>
  call @use(%s8) : (memref<4xf32>) -> ()
  %n = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %one iter_args(%x = %s8) -> memref<4xf32> {
    %t = memref.alloc() : memref<4xf32>
    func.call @use(%t) : (memref<4xf32>) -> ()
    scf.yield %t : memref<4xf32>
  }
  call @use(%r) : (memref<4xf32>) -> ()
  return
}
