// affine-data-copy-generate puts buffers of its own in the place of these.

func.func @sum(%p: memref<64xf32>, %q: memref<64xf32>) {
  %a, %b = memref.distinct_objects %p, %q : memref<64xf32>, memref<64xf32>
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %y = affine.load %b[%i] : memref<64xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %b[%i] : memref<64xf32>
  }
  return
}
