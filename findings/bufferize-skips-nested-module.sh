#!/bin/sh
# one-shot-bufferize leaves the functions of a nested module on tensors, without a word.
#
# Wrong guess: with bufferize-function-boundaries the pass bufferizes all functions
# below the op that it runs on, or says which it cannot. It takes the functions of the
# module that it runs on, and skips those of a module within: status 0, no message, and
# tensors that only a later pass stumbles over, with an error about types.
#
# It matters since frontends put what they compile into a module of its own (a kernel's,
# a device's), and a program that looks bufferized from outside is not. A pipeline
# nested once more does it.
#
# Seen with mlir-opt of LLVM 22.1.8 (Debian's packages mlir-22-tools, libmlir-22 and
# libllvm22, 1:22.1.8-1~deb12u1): the inner tensor.insert stays, with status 0 and no
# output on stderr; with `builtin.module(one-shot-bufferize{...})` in the pipeline the
# inner function is bufferized.
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

cat > program.mlir <<'END'
module {
  func.func @outer(%t: tensor<4xi32>, %x: i32, %i: index) -> tensor<4xi32> {
    %new = tensor.insert %x into %t[%i] : tensor<4xi32>
    return %new : tensor<4xi32>
  }
  module @device {
    func.func @inner(%t: tensor<4xi32>, %x: i32, %i: index) -> tensor<4xi32> {
      %new = tensor.insert %x into %t[%i] : tensor<4xi32>
      return %new : tensor<4xi32>
    }
  }
}
END
bufferize='one-shot-bufferize{bufferize-function-boundaries=1}'
opt "$bufferize" > once.mlir 2> messages
is "the count of messages" "$(wc -l < messages)" 0
is "the count of tensor.insert" "$(grep -c tensor.insert once.mlir)" 1
sed -n '/module @device/,$p' once.mlir > inner.mlir
has inner.mlir tensor.insert
opt "builtin.module($bufferize)" > nested.mlir
sed -n '/module @device/,$p' nested.mlir > inner.mlir
hasNot inner.mlir tensor.insert
has inner.mlir memref.store
echo "as described: the inner function is left on tensors"
