#!/bin/sh
# cse before one-shot-bufferize makes a copy that was not there.
#
# Wrong guess: cse removes ops, so that a program after it needs no more memory traffic
# than before. Two results that begin with the same values (two fills with zero, each of
# a tensor.empty of its own) become one value; the first result is computed in its
# buffer, the second then needs the zeros once more, and gets them by an allocation and
# a copy of the whole tensor.
#
# It matters since frontends run cse by default, and since the other effect of the same
# pass, fewer buffers, hides this one in a sum: on real models cse before bufferization
# lowers the number of buffers and raises the number of copies.
#
# Seen with mlir-opt of LLVM 22.1.8 (Debian's packages mlir-22-tools, libmlir-22 and
# libllvm22, 1:22.1.8-1~deb12u1): no memref.copy without cse, one with it.
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

cat > program.mlir <<'END'
func.func @f(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty0 = tensor.empty() : tensor<32x32xf32>
  %zeros0 = linalg.fill ins(%zero : f32) outs(%empty0 : tensor<32x32xf32>) -> tensor<32x32xf32>
  %ab = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%zeros0 : tensor<32x32xf32>) -> tensor<32x32xf32>
  %empty1 = tensor.empty() : tensor<32x32xf32>
  %zeros1 = linalg.fill ins(%zero : f32) outs(%empty1 : tensor<32x32xf32>) -> tensor<32x32xf32>
  %ba = linalg.matmul ins(%b, %a : tensor<32x32xf32>, tensor<32x32xf32>) outs(%zeros1 : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %ab, %ba : tensor<32x32xf32>, tensor<32x32xf32>
}
END
bufferize='one-shot-bufferize{bufferize-function-boundaries=1}'
opt "$bufferize" > plain.mlir
hasNot plain.mlir memref.copy
is "the count of allocations without cse" "$(grep -c memref.alloc plain.mlir)" 2
opt "cse,$bufferize" > shared.mlir
is "the count of copies with cse" "$(grep -c memref.copy shared.mlir)" 1
is "the count of allocations with cse" "$(grep -c memref.alloc shared.mlir)" 2
echo "as described: one copy more after cse"
