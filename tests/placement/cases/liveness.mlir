// pass: func.func(lens-liveness)

// The free goes up to the last use.
func.func @up(%i: index, %f: f32) {
  // expected-remark @below {{movedUp; last use: memref.store; passed: 2}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  %x = arith.addf %f, %f : f32
  %y = arith.addf %x, %f : f32
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// The last use is one of a view, in a region.
func.func @nestedUseOfAlias(%i: index, %f: f32, %c: i1) {
  // expected-remark @below {{movedUp; last use: memref.store, nested, alias; passed: 1}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  %v = memref.cast %a : memref<4xf32> to memref<?xf32>
  scf.if %c {
    memref.store %f, %v[%i] : memref<?xf32>
  }
  %x = arith.addf %f, %f : f32
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// Which of two uses under one op comes last.
func.func @lastInText(%i: index, %f: f32, %c: i1) {
  // expected-remark @below {{movedUp; last use: memref.load, nested; passed: 1}}
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.store %f, %a[%i] : memref<4xf32>
  } else {
    scf.if %c {
      %l = memref.load %a[%i] : memref<4xf32>
    }
  }
  %x = arith.addf %f, %f : f32
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

func.func @inPlace(%i: index, %f: f32) {
  // expected-remark @below {{inPlace; last use: memref.store}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// A use after the free.
func.func @down(%i: index, %f: f32) {
  // expected-remark @below {{movedDown; last use: memref.store; passed: 1}}
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  return
}

// -----

func.func @noUse(%f: f32) {
  // expected-remark @below {{noUse}}
  %a = memref.alloc() : memref<4xf32>
  %x = arith.addf %f, %f : f32
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

func.func @usedElsewhere(%i: index, %f: f32) {
  // expected-remark @below {{usedElsewhere; uncounted: memref.store}}
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  cf.br ^next
^next:
  memref.store %f, %a[%i] : memref<4xf32>
  return
}

// -----

// Uses here count, and one elsewhere that is met first does not.
func.func @usedHereAndElsewhere(%i: index, %f: f32) {
  // expected-remark @below {{movedUp; last use: memref.store; passed: 1; uncounted: memref.load}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  %x = arith.addf %f, %f : f32
  memref.dealloc %a : memref<4xf32>
  cf.br ^next
^next:
  %l = memref.load %a[%i] : memref<4xf32>
  return
}

// -----

func.func @notFreed(%i: index, %f: f32) {
  // expected-remark @below {{notFreed}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  return
}

// -----

func.func @freedThroughAlias(%i: index, %f: f32) {
  // expected-remark @below {{freedThroughAlias}}
  %a = memref.alloc() : memref<4xf32>
  %v = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.store %f, %v[%i] : memref<?xf32>
  %x = arith.addf %f, %f : f32
  memref.dealloc %v : memref<?xf32>
  return
}

// -----

func.func @freedSeveralTimes(%f: f32, %c: i1) {
  // expected-remark @below {{freedSeveralTimes}}
  %a = memref.alloc() : memref<4xf32>
  %x = arith.addf %f, %f : f32
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  } else {
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// -----

// Below it, and in a block after it.
func.func @freedElsewhere(%i: index, %f: f32, %c: i1) {
  // expected-remark @below {{freedElsewhere}}
  %a = memref.alloc() : memref<4xf32>
  // expected-remark @below {{freedElsewhere}}
  %b = memref.alloc() : memref<4xf32>
  scf.if %c {
    %x = arith.addf %f, %f : f32
    memref.dealloc %a : memref<4xf32>
  }
  cf.br ^next
^next:
  %y = arith.addf %f, %f : f32
  memref.dealloc %b : memref<4xf32>
  return
}

// -----

// A realloc frees its operand; what it allocates is a buffer of its own.
func.func @reallocUsed(%i: index, %f: f32) {
  // expected-remark @below {{spoiled; last use: memref.dealloc, alias; passed: 3}}
  %a = memref.alloc() : memref<4xf32>
  // expected-remark @below {{spoiled; last use: memref.store; passed: 1}}
  // expected-note @below {{operand defined here}}
  %r = memref.realloc %a : memref<4xf32> to memref<8xf32>
  // expected-error @below {{operand #1 does not dominate this use}}
  memref.store %f, %r[%i] : memref<8xf32>
  %x = arith.addf %f, %f : f32
  memref.dealloc %r : memref<8xf32>
  return
}

// -----

func.func @returned() -> memref<4xf32> {
  // expected-remark @below {{spoiled; last use: func.return; passed: 1}}
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  // expected-error @below {{'func.return' op must be the last operation in the parent block}}
  return %a : memref<4xf32>
}

// -----

// The token of the free comes behind its new place.
func.func @token(%i: index, %f: f32) {
  %t = gpu.wait async
  // expected-remark @below {{spoiled; last use: memref.store; passed: 1}}
  %a, %u = gpu.alloc async [%t] () : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  // expected-note @below {{operand defined here}}
  %v = gpu.wait async [%u]
  // expected-error @below {{operand #0 does not dominate this use}}
  %w = gpu.dealloc async [%v] %a : memref<4xf32>
  gpu.wait [%w]
  return
}
