// Ops of a plugin's dialect among branches, loops, selects and calls.
func.func @branch(%c: i1, %k: index, %n: index) -> memref<?xf32> {
  %a = loom.lookup %k : memref<?xf32>
  cf.cond_br %c, ^l, ^r
^l:
  %b = loom.alloc %n : memref<?xf32>
  cf.br ^j(%b : memref<?xf32>)
^r:
  cf.br ^j(%a : memref<?xf32>)
^j(%x: memref<?xf32>):
  return %x : memref<?xf32>
}
func.func @nested(%k: index, %n: index, %x: f32) -> f32 {
  %s = loom.lookup %k : memref<?xf32>
  %r = loom.repeat %n (%s : memref<?xf32>) -> (memref<?xf32>) {
  ^b(%m: memref<?xf32>):
    %q = loom.repeat %n (%m : memref<?xf32>) -> (memref<?xf32>) {
    ^b2(%m2: memref<?xf32>):
      %t = loom.lookup %n : memref<?xf32>
      loom.fill %x, %t : f32, memref<?xf32>
      loom.next %t : memref<?xf32>
    }
    loom.next %q : memref<?xf32>
  }
  %v = memref.load %r[%k] : memref<?xf32>
  return %v : f32
}
func.func private @p(%k: index) -> memref<?xf32> {
  %a = loom.lookup %k : memref<?xf32>
  return %a : memref<?xf32>
}
func.func @caller(%k: index, %c: i1) -> memref<?xf32> {
  %a = func.call @p(%k) : (index) -> memref<?xf32>
  %b = loom.lookup %k : memref<?xf32>
  %s = arith.select %c, %a, %b : memref<?xf32>
  %o = scf.if %c -> memref<?xf32> {
    scf.yield %b : memref<?xf32>
  } else {
    %z = loom.lookup %k : memref<?xf32>
    scf.yield %z : memref<?xf32>
  }
  memref.copy %s, %o : memref<?xf32> to memref<?xf32>
  return %o : memref<?xf32>
}
func.func @two(%k: index) -> (memref<?xf32>, memref<?xf32>) {
  %a = loom.lookup %k : memref<?xf32>
  return %a, %a : memref<?xf32>, memref<?xf32>
}
func.func @unused(%n: index) {
  loom.repeat %n {
    loom.next
  }
  return
}
