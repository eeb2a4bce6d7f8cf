#!/bin/sh
# one-shot-bufferize believes `bufferization.access` where the body says otherwise.
#
# Wrong guess: the attribute is for functions without a body, and the analysis computes
# what a function with one reads and writes. It does so only where the attribute is
# absent: "read" on an argument that the body writes is taken as it is, so that a
# caller that still needs the tensor passes its own buffer, and finds it changed.
#
# It matters since `test-analysis-only` prints the attribute on each argument: who keeps
# that output as a test's or a cache's input, and then changes a body, has a program
# that is bufferized wrongly, without an error.
#
# Seen with mlir-opt and mlir-runner of LLVM 22.1.8 (Debian's packages mlir-22-tools,
# libmlir-22 and libllvm22, 1:22.1.8-1~deb12u1): 9 with the attribute, 2 without it, where
# the program says 2 in both.
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

program() {
  cat > program.mlir <<END
func.func private @scratch(%t: tensor<4xi32> $1, %i: index) -> i32 {
  %nine = arith.constant 9 : i32
  %changed = tensor.insert %nine into %t[%i] : tensor<4xi32>
  %x = tensor.extract %changed[%i] : tensor<4xi32>
  return %x : i32
}
func.func @main() -> i32 {
  %i = arith.constant 1 : index
  %two = arith.constant 2 : i32
  %empty = tensor.empty() : tensor<4xi32>
  %t = linalg.fill ins(%two : i32) outs(%empty : tensor<4xi32>) -> tensor<4xi32>
  %x = call @scratch(%t, %i) : (tensor<4xi32>, index) -> i32
  %y = tensor.extract %t[%i] : tensor<4xi32>
  return %y : i32
}
END
}
bufferize='one-shot-bufferize{bufferize-function-boundaries=1}'
program '{bufferization.access = "read"}'
is "with the attribute" "$(result "$bufferize")" 9
program ''
is "without it" "$(result "$bufferize,cse,canonicalize")" 2
echo "as described: an attribute is believed, and the caller's tensor changes"
