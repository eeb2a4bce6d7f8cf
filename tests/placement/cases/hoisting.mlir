// pass: func.func(lens-hoist)

// A path that never needed the buffer.
func.func @branch(%c: i1, %arg: memref<4xi64>, %out: memref<4xi64>) {
  cf.cond_br %c, ^given, ^made
^given:
  cf.br ^exit(%arg : memref<4xi64>)
^made:
  // expected-remark @below {{left its block; limit: usesBelow}}
  // expected-warning @below {{allocatedUnused}}
  %a = memref.alloc() : memref<4xi64>
  cf.br ^exit(%a : memref<4xi64>)
^exit(%m: memref<4xi64>):
  memref.copy %m, %out : memref<4xi64> to memref<4xi64>
  return
}

// -----

// Each arm allocates what the other has no use for.
func.func @bothArms(%c: i1, %i: index) -> i64 {
  %r = scf.if %c -> memref<4xi64> {
    // expected-remark @below {{left its block}}
    // expected-warning @below {{allocatedUnused}}
    %a = memref.alloc() : memref<4xi64>
    scf.yield %a : memref<4xi64>
  } else {
    // expected-remark @below {{left its block}}
    // expected-warning @below {{allocatedUnused}}
    %b = memref.alloc() : memref<4xi64>
    scf.yield %b : memref<4xi64>
  }
  %x = memref.load %r[%i] : memref<4xi64>
  return %x : i64
}

// -----

// Every path comes past the block that allocates.
func.func @straight(%n: index, %out: memref<4xi64>) {
  cf.br ^next
^next:
  // expected-remark @below {{stayed}}
  %a = memref.alloc() : memref<4xi64>
  cf.br ^last(%a : memref<4xi64>)
^last(%m: memref<4xi64>):
  memref.copy %m, %out : memref<4xi64> to memref<4xi64>
  return
}

// -----

// While the other arm has a buffer of its own.
// expected-warning @below {{higherPeak; 64 to 96}}
func.func @besideOther(%c: i1, %i: index, %v: i64, %arg: memref<4xi64>) -> i64 {
  %r = scf.if %c -> memref<4xi64> {
    // expected-remark @below {{stayed}}
    %a = memref.alloc() : memref<8xi64>
    memref.store %v, %a[%i] : memref<8xi64>
    scf.yield %arg : memref<4xi64>
  } else {
    // expected-remark @below {{left its block}}
    // expected-warning @below {{allocatedUnused}}
    %b = memref.alloc() : memref<4xi64>
    scf.yield %b : memref<4xi64>
  }
  %x = memref.load %r[%i] : memref<4xi64>
  return %x : i64
}

// -----

// Moved, and still no path comes past it without a need for it.
func.func @everyPath(%m: memref<4xi64>, %out: memref<4xi64>, %c: i1) {
  cf.br ^head(%m : memref<4xi64>)
^head(%last: memref<4xi64>):
  memref.copy %last, %out : memref<4xi64> to memref<4xi64>
  cf.br ^make
^make:
  // expected-remark @below {{left its block}}
  %a = memref.alloc() : memref<4xi64>
  cf.cond_br %c, ^head(%a : memref<4xi64>), ^exit
^exit:
  return
}
