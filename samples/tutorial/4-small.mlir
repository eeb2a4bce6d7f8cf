// Tutorial, fourth version: the head is a function of its own, whose buffer ends with it.
//
// An image is normalized and refined by a small network, and a head reads it.
!image = memref<256x256xf32>
!wide = memref<256x1024xf32>
!in = memref<256x1024xf32>
!out = memref<1024x256xf32>

func.func private @relu(%x: !wide) {
  %zero = arith.constant 0.0 : f32
  linalg.map ins(%x : !wide) outs(%x : !wide)
    (%value: f32, %old: f32) {
      %y = arith.maximumf %value, %zero : f32
      linalg.yield %y : f32
    }
  return
}

// Scales an image into %result, or copies it there if it is bright already.
func.func private @normalize(%image: !image, %isBright: i1, %result: !image) {
  %two = arith.constant 2.0 : f32
  scf.if %isBright {
    memref.copy %image, %result : !image to !image
  } else {
    linalg.map ins(%image : !image) outs(%result : !image)
      (%value: f32, %old: f32) {
        %y = arith.mulf %value, %two : f32
        linalg.yield %y : f32
      }
  }
  return
}

// Adds what two layers say to the image, %steps times, in place.
func.func private @refine(%image: !image, %w1: !in, %w2: !out, %steps: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %hidden = memref.alloc() : !wide
  scf.for %step = %c0 to %steps step %c1 {
    linalg.fill ins(%zero : f32) outs(%hidden : !wide)
    linalg.matmul ins(%image, %w1 : !image, !in) outs(%hidden : !wide)
    func.call @relu(%hidden) : (!wide) -> ()
    linalg.matmul ins(%hidden, %w2 : !wide, !out) outs(%image : !image)
  }
  return
}

// Two layers of the head. What they allocate is deallocated where they end.
func.func private @layers(%x: !image, %w1: !in, %w2: !out, %result: !image) {
  %zero = arith.constant 0.0 : f32
  %wide = memref.alloc() : !wide
  linalg.fill ins(%zero : f32) outs(%wide : !wide)
  linalg.matmul ins(%x, %w1 : !image, !in) outs(%wide : !wide)
  call @relu(%wide) : (!wide) -> ()
  linalg.fill ins(%zero : f32) outs(%result : !image)
  linalg.matmul ins(%wide, %w2 : !wide, !out) outs(%result : !image)
  return
}

// The whole model: the head behind the refinement.
func.func @model(%input: !image, %isBright: i1, %w1: !in, %w2: !out, %steps: index,
                 %answer: !image) {
  %refined = memref.alloc() : !image
  call @normalize(%input, %isBright, %refined) : (!image, i1, !image) -> ()
  call @refine(%refined, %w1, %w2, %steps) : (!image, !in, !out, index) -> ()
  %narrow = memref.alloc() : !image
  call @layers(%refined, %w1, %w2, %narrow) : (!image, !in, !out, !image) -> ()
  call @layers(%narrow, %w1, %w2, %answer) : (!image, !in, !out, !image) -> ()
  return
}
