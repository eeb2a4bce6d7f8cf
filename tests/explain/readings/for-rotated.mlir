// Three buffers change places in a circle, and two others swap: each may be those of
// its own circle only. What is passed along a chain is no swap.
//? must: %a, %b and %c change places (18:5), so each may be %x, %y or %z
//? must: %d and %e swap (18:5), so either may be %u or %v
//? not: %f and
func.func private @step(memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>)
func.func @rotated(%n: index, %in: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  %z = memref.alloc() : memref<4xf32>
  %u = memref.alloc() : memref<4xf32>
  %v = memref.alloc() : memref<4xf32>
  %r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %c = %z, %d = %u, %e = %v, %f = %in) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    func.call @step(%a, %b, %d, %f) : (memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
    // The last one is handed on, and stays what it is.
    scf.yield %b, %c, %a, %e, %d, %f : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  call @step(%r#0, %r#1, %r#3, %r#5) : (memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return
}
