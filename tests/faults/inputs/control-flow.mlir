// Blocks and branches: what is live, forwarded, and retained on which side.
func.func private @use(memref<8xf32>)

func.func @diamond(%given: memref<8xf32>, %choice: i1) {
  cf.cond_br %choice, ^make, ^join(%given : memref<8xf32>)
^make:
  %made = memref.alloc() : memref<8xf32>
  call @use(%made) : (memref<8xf32>) -> ()
  cf.br ^join(%made : memref<8xf32>)
^join(%either: memref<8xf32>):
  call @use(%either) : (memref<8xf32>) -> ()
  return
}

func.func @two_live_on_both_sides(%choice: i1) {
  %first = memref.alloc() : memref<8xf32>
  %second = memref.alloc() : memref<8xf32>
  cf.cond_br %choice, ^left, ^right
^left:
  call @use(%second) : (memref<8xf32>) -> ()
  call @use(%first) : (memref<8xf32>) -> ()
  return
^right:
  call @use(%first) : (memref<8xf32>) -> ()
  call @use(%second) : (memref<8xf32>) -> ()
  return
}

func.func @live_on_one_side(%choice: i1) {
  %only_left = memref.alloc() : memref<8xf32>
  %only_right = memref.alloc() : memref<8xf32>
  cf.cond_br %choice, ^left, ^right
^left:
  call @use(%only_left) : (memref<8xf32>) -> ()
  return
^right:
  call @use(%only_right) : (memref<8xf32>) -> ()
  return
}

func.func @forwarded_and_others_live(%given: memref<8xf32>, %choice: i1) {
  %early = memref.alloc() : memref<8xf32>
  %late = memref.alloc() : memref<8xf32>
  call @use(%late) : (memref<8xf32>) -> ()
  cf.cond_br %choice, ^on(%late : memref<8xf32>), ^off
^off:
  call @use(%early) : (memref<8xf32>) -> ()
  cf.br ^on(%given : memref<8xf32>)
^on(%either: memref<8xf32>):
  call @use(%either) : (memref<8xf32>) -> ()
  call @use(%early) : (memref<8xf32>) -> ()
  return
}

func.func @forwarded_twice(%choice: i1) {
  %made = memref.alloc() : memref<8xf32>
  call @use(%made) : (memref<8xf32>) -> ()
  cf.cond_br %choice, ^twice(%made, %made : memref<8xf32>, memref<8xf32>), ^two
^two:
  %first = memref.alloc() : memref<8xf32>
  %second = memref.alloc() : memref<8xf32>
  call @use(%first) : (memref<8xf32>) -> ()
  call @use(%second) : (memref<8xf32>) -> ()
  cf.br ^twice(%first, %second : memref<8xf32>, memref<8xf32>)
^twice(%a: memref<8xf32>, %b: memref<8xf32>):
  call @use(%a) : (memref<8xf32>) -> ()
  call @use(%b) : (memref<8xf32>) -> ()
  return
}

func.func @through_a_chain(%given: memref<8xf32>, %choice: i1) -> memref<8xf32> {
  %made = memref.alloc() : memref<8xf32>
  cf.cond_br %choice, ^first, ^last(%given : memref<8xf32>)
^first:
  call @use(%made) : (memref<8xf32>) -> ()
  cf.cond_br %choice, ^second, ^last(%made : memref<8xf32>)
^second:
  call @use(%made) : (memref<8xf32>) -> ()
  cf.br ^last(%made : memref<8xf32>)
^last(%either: memref<8xf32>):
  return %either : memref<8xf32>
}

func.func @unranked(%given: memref<*xf32>, %choice: i1) -> memref<*xf32> {
  cf.cond_br %choice, ^cast, ^pass
^cast:
  %made = memref.alloc() : memref<8xf32>
  %cast = memref.cast %made : memref<8xf32> to memref<*xf32>
  return %cast : memref<*xf32>
^pass:
  return %given : memref<*xf32>
}
