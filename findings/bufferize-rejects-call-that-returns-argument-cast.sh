#!/bin/sh
# A function that returns its argument as tensor<?>: calls of it can be rejected.
#
# Wrong guess: tensor.cast changes only what is known of a type, so that a function may
# return its argument by one. one-shot-bufferize knows that the result is the argument and
# lets it have the type of the argument's buffer, which is static. Where the result then
# has to be copied, since the argument is read later, the copy is allocated with the
# tensor's type, which has a dynamic size, but with the sizes that the buffer's type leaves
# open: none. The verifier rejects the program.
#
# It matters since the message is about a memref.alloc that the program does not have, and
# since the program is accepted until somebody reads the argument after the call. With
# tensor.cast behind the call it is accepted.
#
# Seen with mlir-opt of LLVM 22.1.8 (Debian's packages mlir-22-tools, libmlir-22 and
# libllvm22, 1:22.1.8-1~deb12u1): "'memref.alloc' op incorrect number of dynamic sizes, has
# 0, expected 1".
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

passes='one-shot-bufferize{bufferize-function-boundaries=1}'
cat > program.mlir <<'END'
func.func private @same(%t: tensor<8xf32>) -> tensor<?xf32> {
  %open = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  return %open : tensor<?xf32>
}
func.func @main(%t: tensor<8xf32>, %x: f32, %i: index) -> (f32, f32) {
  %same = call @same(%t) : (tensor<8xf32>) -> tensor<?xf32>
  %new = tensor.insert %x into %same[%i] : tensor<?xf32>
  %now = tensor.extract %new[%i] : tensor<?xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  return %now, %old : f32, f32
}
END
if opt "$passes" > made.mlir 2> errors; then
  echo "changed: accepted"
  exit 1
fi
has errors "'memref.alloc' op incorrect number of dynamic sizes, has 0, expected 1"

cat > program.mlir <<'END'
func.func private @same(%t: tensor<8xf32>) -> tensor<8xf32> {
  return %t : tensor<8xf32>
}
func.func @main(%t: tensor<8xf32>, %x: f32, %i: index) -> (f32, f32) {
  %result = call @same(%t) : (tensor<8xf32>) -> tensor<8xf32>
  %same = tensor.cast %result : tensor<8xf32> to tensor<?xf32>
  %new = tensor.insert %x into %same[%i] : tensor<?xf32>
  %now = tensor.extract %new[%i] : tensor<?xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  return %now, %old : f32, f32
}
END
opt "$passes" > made.mlir
has made.mlir "memref.copy"
echo "as described: rejected with the cast in the function, accepted with it behind the call"
