/* For run_inputs.py: what programs call of a library, as mlir-runner's libraries
 * have it. */
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  float *allocated, *aligned;
  int64_t offset, size, stride;
} Buffer;

/* As MLIR passes a memref<?xf32> by default. */
void twice(float *allocated, float *aligned, int64_t offset, int64_t size,
           int64_t stride) {
  (void)allocated;
  for (int64_t i = 0; i < size; ++i)
    aligned[offset + i * stride] *= 2;
}

/* With llvm.emit_c_interface. */
float _mlir_ciface_sum(Buffer *of) {
  float sum = 0;
  for (int64_t i = 0; i < of->size; ++i)
    sum += of->aligned[of->offset + i * of->stride];
  return sum;
}

/* Whose results the caller owns. */
void _mlir_ciface_fresh(Buffer *made, int64_t size) {
  made->allocated = made->aligned = calloc((size_t)size, sizeof(float));
  made->offset = 0;
  made->size = size;
  made->stride = 1;
}

/* Gives memory away that nobody may deallocate. */
static float table[64];
void _mlir_ciface_borrowed(Buffer *made, int64_t size) {
  made->allocated = made->aligned = table;
  made->offset = 0;
  made->size = size;
  made->stride = 1;
}
