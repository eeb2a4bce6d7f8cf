#!/bin/sh
# scf.for yields one tensor for two of its arguments: they are one buffer from then on.
#
# Wrong guess: with allow-return-allocs-from-loops, the arguments of a loop are buffers of
# their own in each iteration. A tensor that the body makes is yielded as it is, since it
# is of no buffer outside; that it is yielded twice nobody sees. In the next iteration,
# one argument is written in place, and the other one has the new value.
#
# It matters since the program computes something else, without a message, and since cse
# makes such loops of right ones. With copy-before-write the result is right.
#
# Seen with mlir-opt and mlir-runner of LLVM 22.1.8 (Debian's packages mlir-22-tools,
# libmlir-22 and libllvm22, 1:22.1.8-1~deb12u1): 11 in place of 3.
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

cat > program.mlir <<'END'
func.func @main() -> i32 attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %e = tensor.empty() : tensor<4xi32>
  %t = linalg.fill ins(%one : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %f = tensor.empty() : tensor<4xi32>
  %u = linalg.fill ins(%one : i32) outs(%f : tensor<4xi32>) -> tensor<4xi32>
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %t, %b = %u, %sum = %zero)
      -> (tensor<4xi32>, tensor<4xi32>, i32) {
    %w = tensor.insert %five into %a[%c1] : tensor<4xi32>
    %x = tensor.extract %b[%c1] : tensor<4xi32>
    %more = arith.addi %sum, %x : i32
    %g = tensor.empty() : tensor<4xi32>
    %made = linalg.fill ins(%one : i32) outs(%g : tensor<4xi32>) -> tensor<4xi32>
    scf.yield %made, %made, %more : tensor<4xi32>, tensor<4xi32>, i32
  }
  return %r#2 : i32
}
END
passes='buffer-deallocation-pipeline'
options='bufferize-function-boundaries=1 allow-return-allocs-from-loops=1'
is "the sum in place" \
  "$(result "one-shot-bufferize{$options},$passes")" 11
is "the sum with copies" \
  "$(result "one-shot-bufferize{$options copy-before-write=1},$passes")" 3
echo "as described: two arguments of the loop are one buffer"
