#!/bin/sh
# one-shot-bufferize drops a sparse encoding and makes a dense buffer, without a word.
#
# Wrong guess: a tensor with #sparse_tensor.encoding stays sparse, or the pass rejects it,
# since buffers of sparse tensors are another pass's work. It takes the tensor for a dense
# one: the argument becomes one memref of all elements, where callers that know the sparse
# layout pass positions, coordinates and values. Status 0, no message.
#
# It matters since the program still runs: on other memory than its caller means, or with
# all the zeros. sparsification-and-bufferization in its place keeps the three arrays.
#
# Seen with mlir-opt of LLVM 22.1.8 (Debian's packages mlir-22-tools, libmlir-22 and
# libllvm22, 1:22.1.8-1~deb12u1): the argument is a memref<8x8xf32, ...>, nothing of the
# encoding is left, and nothing is on stderr.
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

cat > program.mlir <<'END'
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @get(%a: tensor<8x8xf32, #CSR>, %i: index) -> f32 {
  %x = tensor.extract %a[%i, %i] : tensor<8x8xf32, #CSR>
  return %x : f32
}
END
opt 'one-shot-bufferize{bufferize-function-boundaries=1}' > made.mlir 2> messages
is "the count of messages" "$(wc -l < messages)" 0
has made.mlir 'func.func @get(%arg0: memref<8x8xf32'
hasNot made.mlir sparse
opt 'sparsification-and-bufferization' > kept.mlir
hasNot kept.mlir 'memref<8x8xf32'
has kept.mlir 'func.func @get(%arg0: memref<?x'
echo "as described: the sparse argument is one dense memref"
