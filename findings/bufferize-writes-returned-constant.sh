#!/bin/sh
# one-shot-bufferize writes into a constant that a function returns.
#
# Wrong guess: a constant is copied before it is written. That holds where the write is
# in the constant's own function. A function that returns a constant returns
# memref.get_global of a `constant` global, and its caller takes the result of the call
# for a buffer of its own: tensor.insert becomes a memref.store into the constant.
#
# It matters since the memory of a constant is read-only in most programs, so that this
# one ends by a signal when it runs, and where it is not, all later users of the
# constant read what was written. buffer-deallocation-pipeline hides it, as it clones what
# a function returns and does not own; private-function-dynamic-ownership takes that
# clone away. No pass says anything; the verifier accepts it.
#
# Seen with mlir-opt of LLVM 22.1.8 (Debian's packages mlir-22-tools, libmlir-22 and
# libllvm22, 1:22.1.8-1~deb12u1): status 0, and
#
#   %0 = call @table() : () -> memref<4xf32>
#   memref.store %arg0, %0[%arg1] : memref<4xf32>
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

cat > program.mlir <<'END'
func.func private @table() -> tensor<4xf32> {
  %table = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %table : tensor<4xf32>
}
func.func @f(%x: f32, %i: index) -> f32 {
  %t = call @table() : () -> tensor<4xf32>
  %new = tensor.insert %x into %t[%i] : tensor<4xf32>
  %y = tensor.extract %new[%i] : tensor<4xf32>
  return %y : f32
}
END
"$bin/mlir-opt" --one-shot-bufferize=bufferize-function-boundaries program.mlir > called.mlir
has called.mlir 'memref.global "private" constant @__constant_4xf32'
# The function returns the constant itself, and what is written behind the call is that.
has called.mlir '%0 = memref.get_global @__constant_4xf32'
has called.mlir '%0 = call @table'
has called.mlir 'memref.store %arg0, %0\[%arg1\]'

hasNot called.mlir 'memref.copy'

# In the same function it is copied first.
cat > inside-program.mlir <<'END'
func.func @f(%x: f32, %i: index) -> f32 {
  %t = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %new = tensor.insert %x into %t[%i] : tensor<4xf32>
  %y = tensor.extract %new[%i] : tensor<4xf32>
  return %y : f32
}
END
"$bin/mlir-opt" --one-shot-bufferize=bufferize-function-boundaries inside-program.mlir > inside.mlir
has inside.mlir 'memref.copy %0, %alloc'
echo "as described: a caller writes into the constant that a function returns"
