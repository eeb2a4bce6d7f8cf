// None of these terminators has one of the two terminator interfaces that the
// pass knows; models of BufferDeallocationOpInterface handle them.
// args: --ownership-based-buffer-deallocation
// count 3: bufferization\.dealloc \(
// then: scf\.forall
// then: bufferization\.dealloc
// then: scf\.reduce\(
// then: bufferization\.dealloc
// then: scf\.reduce\.return
// then: gpu\.launch
// then: bufferization\.dealloc
// then: gpu\.terminator
func.func @each(%n: index) {
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<4xf32>
    scf.forall.in_parallel {
    }
  }
  return
}
func.func @sum(%n: index, %z: index, %st: index, %v: f32) {
  %r = scf.parallel (%i) = (%z) to (%n) step (%st) init (%v) -> f32 {
    scf.reduce(%v : f32) {
    ^bb0(%x: f32, %y: f32):
      %a = memref.alloc() : memref<4xf32>
      %s = arith.addf %x, %y : f32
      scf.reduce.return %s : f32
    }
  }
  return
}
func.func @launches(%n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%lx = %n, %ly = %n, %lz = %n) {
    %a = memref.alloc() : memref<4xf32>
    gpu.terminator
  }
  return
}
