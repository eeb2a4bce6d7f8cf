#!/bin/sh
# one-shot-bufferize writes into a constant that a loop yields.
#
# Wrong guess: with allow-return-allocs-from-loops, a loop gives either the buffer it
# was given or a new one, so that what is behind it may write to its result in place.
# A constant in the body is neither: the loop yields memref.get_global of a `constant`
# global, nothing copies it, and tensor.insert_slice behind the loop becomes a
# memref.copy into it. Outside of the loop the same constant is copied first, and so it
# is where scf.if yields it.
#
# It matters since the memory of a constant is read-only in most programs, so that this
# one ends by a signal when it runs, and where it is not, all later users of the
# constant read what was written. No pass says anything; the verifier accepts it.
#
# Seen with mlir-opt of LLVM 22.1.8 (Debian's packages mlir-22-tools, libmlir-22 and
# libllvm22, 1:22.1.8-1~deb12u1): status 0, and
#
#   %0 = scf.for ... iter_args(%arg3 = %alloc) -> (memref<4xf32>) {
#     %1 = memref.get_global @__constant_4xf32 : memref<4xf32>
#     scf.yield %1 : memref<4xf32>
#   }
#   %subview = memref.subview %0[1] [2] [1] ...
#   memref.copy %arg1, %subview ...
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

cat > program.mlir <<'END'
func.func @f(%n: index, %row: tensor<2xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %first = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%state = %first) -> (tensor<4xf32>) {
    %table = arith.constant dense<2.0> : tensor<4xf32>
    scf.yield %table : tensor<4xf32>
  }
  %done = tensor.insert_slice %row into %last[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
  return %done : tensor<4xf32>
}
END
options='bufferize-function-boundaries allow-return-allocs-from-loops'
"$bin/mlir-opt" --one-shot-bufferize="$options" program.mlir > inside.mlir

has inside.mlir 'memref.global "private" constant @__constant_4xf32'
# The loop yields the constant itself.
grep -A1 'memref.get_global @__constant_4xf32' inside.mlir > yielded
has yielded 'scf.yield %1 : memref<4xf32>'
# What is written behind it is that.
has inside.mlir 'memref.subview %0\[1\] \[2\] \[1\]'
has inside.mlir 'memref.copy %arg1, %subview'

# In front of the loop, the constant is copied.
awk '/%table =/ { held = $0; next } { lines[NR] = $0 } END {
  for (i = 1; i <= NR; ++i) {
    if (lines[i] ~ /scf.for/) print held
    if (i in lines) print lines[i]
  } }' program.mlir > outside-program.mlir
"$bin/mlir-opt" --one-shot-bufferize="$options" outside-program.mlir > outside.mlir
has outside.mlir 'memref.copy %0, %alloc_0 : memref<4xf32> to memref<4xf32>'
echo "as described: a loop yields a constant, and what is behind it writes to that"
