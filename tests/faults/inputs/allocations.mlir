// Buffers on the stack, buffers freed by hand, and frees that are refused.
func.func private @use(memref<8xf32>)

func.func @stack(%choice: i1) -> memref<8xf32> {
  %stack = memref.alloca() : memref<8xf32>
  call @use(%stack) : (memref<8xf32>) -> ()
  return %stack : memref<8xf32>
}

func.func @by_hand() {
  %made = memref.alloc() {bufferization.manual_deallocation} : memref<8xf32>
  call @use(%made) : (memref<8xf32>) -> ()
  memref.dealloc %made {bufferization.manual_deallocation} : memref<8xf32>
  return
}

func.func @argument_by_hand(%given: memref<8xf32>) {
  memref.dealloc %given {bufferization.manual_deallocation} : memref<8xf32>
  return
}

func.func @freed(%given: memref<8xf32>) {
  memref.dealloc %given : memref<8xf32>
  return
}

// -----

func.func @unknown_effects(%given: memref<8xf32>) {
  "unknown.op"(%given) : (memref<8xf32>) -> ()
  return
}

// -----

func.func @loop(%given: memref<8xf32>, %again: i1) {
  cf.br ^head
^head:
  %value = arith.constant 0.0 : f32
  %at = arith.constant 0 : index
  memref.store %value, %given[%at] : memref<8xf32>
  cf.cond_br %again, ^head, ^done
^done:
  return
}
