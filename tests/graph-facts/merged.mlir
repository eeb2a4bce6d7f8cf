// Blocks that canonicalize merges or leads past before the ownership pass: what
// is decided must still be shown where the user wrote it.
func.func @chain(%c: i1, %out: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  cf.br ^inner(%a : memref<8xf32>)
^inner(%x: memref<8xf32>):
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  cf.cond_br %c, ^left(%x : memref<8xf32>), ^through(%b : memref<8xf32>)
^left(%y: memref<8xf32>):
  %d = memref.alloc() : memref<8xf32>
  memref.copy %y, %d : memref<8xf32> to memref<8xf32>
  cf.br ^through(%d : memref<8xf32>)
^through(%z: memref<8xf32>):
  cf.br ^end(%z : memref<8xf32>)
^end(%w: memref<8xf32>):
  return %w : memref<8xf32>
}

// A branch of which the way is known, behind another on the same condition.
func.func @known(%c: i1, %n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %c, ^same, ^other
^same:
  cf.cond_br %c, ^taken, ^never
^taken:
  cf.br ^join(%a : memref<?xf32>)
^never:
  %b = memref.alloc(%n) : memref<?xf32>
  cf.br ^join(%b : memref<?xf32>)
^other:
  %d = memref.alloc(%n) : memref<?xf32>
  cf.br ^join(%d : memref<?xf32>)
^join(%r: memref<?xf32>):
  return %r : memref<?xf32>
}

// Both ways lead to the same place with the same values.
func.func @noChoice(%c: i1, %e: i1, %m: memref<8xf32>) -> memref<8xf32> {
  cf.cond_br %c, ^keep, ^make
^keep:
  cf.br ^after(%m : memref<8xf32>)
^make:
  %a = memref.alloc() : memref<8xf32>
  memref.copy %m, %a : memref<8xf32> to memref<8xf32>
  cf.br ^after(%a : memref<8xf32>)
^after(%r: memref<8xf32>):
  cf.cond_br %e, ^one, ^two
^one:
  cf.br ^last
^two:
  cf.br ^last
^last:
  return %r : memref<8xf32>
}
