#!/bin/sh
# Two independent ops without effects, the other way round: a copy more.
#
# Wrong guess: tensors are values, so that the order of ops that do not depend on each
# other says nothing, and passes in front put it right where it does. one-shot-bufferize
# takes the order of the text for the order of memory: a read behind a write of the same
# tensor makes a copy of the whole, the same read in front of it none. Neither cse nor
# canonicalize moves it.
#
# It matters since frontends and fusion write such ops in any order, and one element that
# is read too late costs a buffer and a copy of the whole tensor.
#
# Seen with mlir-opt of LLVM 22.1.8 (Debian's packages mlir-22-tools, libmlir-22 and
# libllvm22, 1:22.1.8-1~deb12u1): one memref.copy with the read last, none with it first.
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

passes='cse,canonicalize,one-shot-bufferize{bufferize-function-boundaries=1}'
write='  %new = tensor.insert %x into %t[%i] : tensor<1024xf32>'
read='  %old = tensor.extract %t[%i] : tensor<1024xf32>'
program() {
  cat > program.mlir <<END
func.func @f(%t: tensor<1024xf32>, %x: f32, %i: index) -> (f32, f32) {
$1
$2
  %now = tensor.extract %new[%i] : tensor<1024xf32>
  return %old, %now : f32, f32
}
END
}
program "$write" "$read"
opt "$passes" > late.mlir
is "the count of copies" "$(grep -c memref.copy late.mlir)" 1
program "$read" "$write"
opt "$passes" > early.mlir
hasNot early.mlir memref.copy
echo "as described: the order of two independent ops makes a copy"
