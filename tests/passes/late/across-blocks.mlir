// ours: moves
// upstream: clean

// Branches below the block of the allocation are followed; into other blocks
// beside it, nothing moves.
func.func @main() {
  %c0 = arith.constant 0 : index
  %yes = arith.constant true
  %seven = arith.constant 7 : i64
  %a = memref.alloc() : memref<4xi64>
  %r = scf.execute_region -> memref<4xi64> {
    cf.cond_br %yes, ^one(%a : memref<4xi64>), ^two
  ^one(%x: memref<4xi64>):
    scf.yield %x : memref<4xi64>
  ^two:
    %s = memref.alloca() : memref<4xi64>
    cf.br ^one(%s : memref<4xi64>)
  }
  memref.store %seven, %r[%c0] : memref<4xi64>
  %c = memref.alloca() : memref<4xi64>
  memref.store %seven, %c[%c0] : memref<4xi64>
  memref.dealloc %a : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  cf.br ^next
^next:
  memref.store %seven, %b[%c0] : memref<4xi64>
  memref.dealloc %b : memref<4xi64>
  return
}
