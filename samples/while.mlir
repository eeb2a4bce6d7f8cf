// scf.while: ownership travels through both regions, from the condition to the body and back.
func.func private @consume(memref<8xi32>)

func.func @whileLoop(%start: memref<8xi32>, %limit: i32) {
  %c0 = arith.constant 0 : index
  %end = scf.while (%current = %start) : (memref<8xi32>) -> memref<8xi32> {
    %head = memref.load %current[%c0] : memref<8xi32>
    %more = arith.cmpi slt, %head, %limit : i32
    scf.condition(%more) %current : memref<8xi32>
  } do {
  ^bb0(%body: memref<8xi32>):
    %next = memref.alloc() : memref<8xi32>
    memref.copy %body, %next : memref<8xi32> to memref<8xi32>
    scf.yield %next : memref<8xi32>
  }
  call @consume(%end) : (memref<8xi32>) -> ()
  return
}
