#!/bin/sh
# one-shot-bufferize overwrites an argument that a later block still reads.
#
# Wrong guess: a read that comes after a write of the same tensor always makes the write
# go to a copy, in whatever blocks the two stand. Where the tensor is an argument of the
# function, and the write stands in a block other than the entry, the write is done in
# place, and the later block reads what was written in place of the old element.
#
# It matters since the program is valid, its result changes, and no pass says anything:
# what lowers scf to cf before it bufferizes makes such programs of every `scf.if` that
# updates a state. With lift-cf-to-scf in front, the write is copied.
#
# Seen with mlir-opt and mlir-runner of LLVM 22.1.8 (Debian's packages mlir-22-tools,
# libmlir-22 and libllvm22, 1:22.1.8-1~deb12u1): @main returns 5, the new element, where
# the program says 0; with lift-cf-to-scf in front there is an allocation in @step, and
# what is extracted is what was there before.
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

cat > program.mlir <<'END'
func.func private @step(%isNew: i1, %state: tensor<8xi32>, %i: index) -> (tensor<8xi32>, i32) {
  %five = arith.constant 5 : i32
  cf.cond_br %isNew, ^update, ^keep
^update:
  %new = tensor.insert %five into %state[%i] : tensor<8xi32>
  cf.br ^done(%new : tensor<8xi32>)
^keep:
  cf.br ^done(%state : tensor<8xi32>)
^done(%next: tensor<8xi32>):
  %before = tensor.extract %state[%i] : tensor<8xi32>
  return %next, %before : tensor<8xi32>, i32
}
func.func @main() -> i32 {
  %true = arith.constant true
  %i = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8xi32>
  %state = linalg.fill ins(%zero : i32) outs(%empty : tensor<8xi32>) -> tensor<8xi32>
  %next, %before = call @step(%true, %state, %i) : (i1, tensor<8xi32>, index) -> (tensor<8xi32>, i32)
  return %before : i32
}
END
bufferize='one-shot-bufferize{bufferize-function-boundaries=1}'
is "the program" "$(result "$bufferize")" 5
hasNot made.mlir memref.copy
opt "lift-cf-to-scf,$bufferize" > lifted.mlir
has lifted.mlir memref.copy
echo "as described: the old element is read after it was overwritten"
