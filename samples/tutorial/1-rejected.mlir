// Tutorial, first version: the loop is made of branches, as a front end left it.
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

// Scales an image, unless it is bright already.
func.func @normalize(%image: !image, %isBright: i1) -> !image {
  %two = arith.constant 2.0 : f32
  %normalized = scf.if %isBright -> !image {
    scf.yield %image : !image
  } else {
    %scaled = memref.alloc() : !image
    linalg.map ins(%image : !image) outs(%scaled : !image)
      (%value: f32, %old: f32) {
        %y = arith.mulf %value, %two : f32
        linalg.yield %y : f32
      }
    scf.yield %scaled : !image
  }
  return %normalized : !image
}

// Adds what two layers say to the image, %steps times.
func.func @refine(%image: !image, %w1: !in, %w2: !out, %steps: index) -> !image {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %image : index, !image)
^head(%step: index, %state: !image):
  %isMore = arith.cmpi ult, %step, %steps : index
  cf.cond_br %isMore, ^body, ^exit
^body:
  %hidden = memref.alloc() : !wide
  linalg.fill ins(%zero : f32) outs(%hidden : !wide)
  linalg.matmul ins(%state, %w1 : !image, !in) outs(%hidden : !wide)
  call @relu(%hidden) : (!wide) -> ()
  %next = memref.alloc() : !image
  memref.copy %state, %next : !image to !image
  linalg.matmul ins(%hidden, %w2 : !wide, !out) outs(%next : !image)
  %following = arith.addi %step, %c1 : index
  cf.br ^head(%following, %next : index, !image)
^exit:
  return %state : !image
}

// The whole model: four layers of a head behind the refinement.
func.func @model(%input: !image, %isBright: i1, %w1: !in, %w2: !out, %steps: index,
                 %answer: !image) {
  %zero = arith.constant 0.0 : f32
  %normalized = call @normalize(%input, %isBright) : (!image, i1) -> !image
  %refined = call @refine(%normalized, %w1, %w2, %steps)
    : (!image, !in, !out, index) -> !image

  %wide = memref.alloc() : !wide
  linalg.fill ins(%zero : f32) outs(%wide : !wide)
  linalg.matmul ins(%refined, %w1 : !image, !in) outs(%wide : !wide)
  call @relu(%wide) : (!wide) -> ()

  %narrow = memref.alloc() : !image
  linalg.fill ins(%zero : f32) outs(%narrow : !image)
  linalg.matmul ins(%wide, %w2 : !wide, !out) outs(%narrow : !image)

  %wide2 = memref.alloc() : !wide
  linalg.fill ins(%zero : f32) outs(%wide2 : !wide)
  linalg.matmul ins(%narrow, %w1 : !image, !in) outs(%wide2 : !wide)
  call @relu(%wide2) : (!wide) -> ()

  linalg.fill ins(%zero : f32) outs(%answer : !image)
  linalg.matmul ins(%wide2, %w2 : !wide, !out) outs(%answer : !image)
  return
}
