#!/bin/sh
# A function returns one tensor twice, its caller writes one result: the other changes, too.
#
# Wrong guess: results of a call are values of their own, so that a write to one of them
# copies, or is in place only where nobody sees it. one-shot-bufferize tells callers which
# results of a function are which of its arguments, not which are one buffer among
# themselves. The function returns one memref twice; the caller takes the two results for
# two buffers, writes the first in place, and reads the second: it finds the new value.
#
# It matters since cse and canonicalize make such returns of two equal tensors, and the
# program then computes something else, without a message. With copy-before-write the
# result is right.
#
# Seen with mlir-opt and mlir-runner of LLVM 22.1.8 (Debian's packages mlir-22-tools,
# libmlir-22 and libllvm22, 1:22.1.8-1~deb12u1): 2 in place of 1.
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

cat > program.mlir <<'END'
func.func private @two(%x: i32) -> (tensor<4xi32>, tensor<4xi32>) {
  %empty = tensor.empty() : tensor<4xi32>
  %filled = linalg.fill ins(%x : i32) outs(%empty : tensor<4xi32>) -> tensor<4xi32>
  return %filled, %filled : tensor<4xi32>, tensor<4xi32>
}
func.func @main() -> i32 attributes {llvm.emit_c_interface} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %i = arith.constant 2 : index
  %r:2 = call @two(%zero) : (i32) -> (tensor<4xi32>, tensor<4xi32>)
  %new = tensor.insert %one into %r#1[%i] : tensor<4xi32>
  %old = tensor.extract %r#0[%i] : tensor<4xi32>
  %now = tensor.extract %new[%i] : tensor<4xi32>
  %sum = arith.addi %old, %now : i32
  return %sum : i32
}
END
passes='buffer-deallocation-pipeline'
boundaries='bufferize-function-boundaries=1'
is "the sum in place" \
  "$(result "one-shot-bufferize{$boundaries},$passes")" 2
is "the sum with copies" \
  "$(result "one-shot-bufferize{$boundaries copy-before-write=1},$passes")" 1
echo "as described: the result that is not written changes"
