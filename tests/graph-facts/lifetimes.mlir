// `%name FIRST-LAST` says from which line to which it lives, and `used to` where its
// last use is, if that is not the last line of its life.
func.func private @use(memref<f32>)

// @merged
// %first 11-16 used to 13
// %second 14-16 used to 15
func.func @merged() {
  // Seen as one block, whose end is that of ^one.

  %first = memref.alloc() : memref<f32>
  cf.br ^one
^one: func.call @use(%first) : (memref<f32>) -> ()
  %second = memref.alloc() : memref<f32>
  func.call @use(%second) : (memref<f32>) -> ()
  return
}

// @made_anew
// %was 31-34 used to 33
// %is 32-35
// %last#1 34-36 used to 35
func.func @made_anew(%count: index, %lent: memref<f32>) -> f32 {
  %ten = arith.constant 10 : index
  %one = arith.constant 1 : index
  %last:2 = scf.while (%in = %lent, %at = %count) : (memref<f32>, index) -> (index, memref<f32>) {
    %goes = arith.cmpi slt, %at, %ten : index
    scf.condition(%goes) %at, %in : index, memref<f32>
  } do {
  ^bb0(%i: index, %was: memref<f32>):
    %next = arith.addi %i, %one : index
    %is = memref.alloc() : memref<f32>
    memref.copy %was, %is : memref<f32> to memref<f32>
    scf.yield %is, %next : memref<f32>, index }
  %read = memref.load %last#1[] : memref<f32>
  return %read : f32
}

// @sized
// %alloc 45-50 used to 47
// %other 48-50 used to 49
func.func @sized(%x: f32) -> f32 {
  %four = arith.constant 4 : index
  %zero = arith.constant 0 : index
  %of_four = memref.alloc(%four) : memref<?xf32>
  memref.store %x, %of_four[%zero] : memref<?xf32>
  %read = memref.load %of_four[%zero] : memref<?xf32>
  %other = memref.alloc() : memref<f32>
  func.call @use(%other) : (memref<f32>) -> ()
  return %read : f32
}
