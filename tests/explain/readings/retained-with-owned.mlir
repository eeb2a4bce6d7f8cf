// What is yielded is never deallocated in the body, owned or not; what is not
// yielded is.
//? must: %y (12:61): yielded to scf.for (12:10)
//? must: %x (12:52): deallocated at the end of the body of scf.for (12:10) if %own_x
//? not: %y is deallocated unless
func.func private @use(memref<4xf32>)
func.func @partly(%n: index, %p: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>

  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a, %y = %p) -> (memref<4xf32>, memref<4xf32>) {
    %t = memref.alloc() : memref<4xf32>
    func.call @use(%x) : (memref<4xf32>) -> ()
    func.call @use(%t) : (memref<4xf32>) -> ()
    scf.yield %y, %t : memref<4xf32>, memref<4xf32>
  }
  call @use(%r#0) : (memref<4xf32>) -> ()
  call @use(%r#1) : (memref<4xf32>) -> ()
  return
}
