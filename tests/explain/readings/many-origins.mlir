// All that the result may be, none left out.
//? must: %r may come from %a, %b, %t or %p
func.func private @use(memref<4xf32>)
func.func @many(%n: index, %c: i1, %p: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %i = arith.select %c, %a, %b : memref<4xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %i) -> memref<4xf32> {
    %t = memref.alloc() : memref<4xf32>
    func.call @use(%t) : (memref<4xf32>) -> ()
    %g = arith.cmpi slt, %k, %c1 : index
    %y = arith.select %g, %t, %p : memref<4xf32>
    scf.yield %y : memref<4xf32>
  }
  call @use(%r) : (memref<4xf32>) -> ()
  call @use(%a) : (memref<4xf32>) -> ()
  call @use(%b) : (memref<4xf32>) -> ()
  return
}
