#!/bin/sh
# A tensor is copied in front of a write since a later arith.select may also give another.
#
# Wrong guess: a write to %a needs a copy only where the old contents of %a are read
# later. one-shot-bufferize puts all that arith.select may give into one set of aliases.
# The other operand of the select, which nobody writes, is read through the select after
# the write, and the write counts as one to it: %a is copied, though nobody reads it again.
#
# It matters since the copy has no reason in the program: print-conflicts names a read of
# a tensor that is not written. The same program with the write in the branch of an
# scf.if that chooses it has no copy.
#
# Seen with mlir-opt of LLVM 22.1.8 (Debian's packages mlir-22-tools, libmlir-22 and
# libllvm22, 1:22.1.8-1~deb12u1): one memref.copy with arith.select, none with scf.if.
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

bufferize='one-shot-bufferize{bufferize-function-boundaries=1},cse,canonicalize'
cat > program.mlir <<'END'
func.func @f(%c: i1, %a: tensor<64xf32>, %b: tensor<64xf32>, %i: index, %x: f32) -> f32 {
  %new = tensor.insert %x into %a[%i] : tensor<64xf32>
  %either = arith.select %c, %new, %b : tensor<64xf32>
  %y = tensor.extract %either[%i] : tensor<64xf32>
  return %y : f32
}
END
opt "$bufferize" > select.mlir
is "the count of copies" "$(grep -c memref.copy select.mlir)" 1
cat > program.mlir <<'END'
func.func @f(%c: i1, %a: tensor<64xf32>, %b: tensor<64xf32>, %i: index, %x: f32) -> f32 {
  %either = scf.if %c -> tensor<64xf32> {
    %new = tensor.insert %x into %a[%i] : tensor<64xf32>
    scf.yield %new : tensor<64xf32>
  } else {
    scf.yield %b : tensor<64xf32>
  }
  %y = tensor.extract %either[%i] : tensor<64xf32>
  return %y : f32
}
END
opt "$bufferize" > branch.mlir
hasNot branch.mlir memref.copy
echo "as described: the select alone makes a copy"
