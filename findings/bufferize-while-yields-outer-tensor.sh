#!/bin/sh
# scf.while overwrites a tensor from outside that it yields.
#
# Wrong guess: with allow-return-allocs-from-loops, what a loop yields is copied unless it
# is the buffer that the loop was given for it. scf.for does so. scf.while copies what it
# passes from its first region to its second one, and yields what it yields as it is: the
# first region gets the outer tensor's own buffer in the next iteration, takes it for one
# of its own, and writes it in place.
#
# It matters since the program computes something else, without a message: the tensor is
# read behind the loop, and has what the loop wrote. With copy-before-write the result is
# right.
#
# Seen with mlir-opt and mlir-runner of LLVM 22.1.8 (Debian's packages mlir-22-tools,
# libmlir-22 and libllvm22, 1:22.1.8-1~deb12u1): 5 in place of 1.
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

cat > program.mlir <<'END'
func.func @main() -> i32 attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %empty = tensor.empty() : tensor<4xi32>
  %outer = linalg.fill ins(%one : i32) outs(%empty : tensor<4xi32>) -> tensor<4xi32>
  %last:2 = scf.while (%t = %outer, %n = %c0) : (tensor<4xi32>, index) -> (tensor<4xi32>, index) {
    %new = tensor.insert %five into %t[%c1] : tensor<4xi32>
    %again = arith.cmpi slt, %n, %c3 : index
    scf.condition(%again) %new, %n : tensor<4xi32>, index
  } do {
  ^bb0(%u: tensor<4xi32>, %m: index):
    %next = arith.addi %m, %c1 : index
    scf.yield %outer, %next : tensor<4xi32>, index
  }
  %old = tensor.extract %outer[%c1] : tensor<4xi32>
  return %old : i32
}
END
passes='buffer-deallocation-pipeline'
options='bufferize-function-boundaries=1 allow-return-allocs-from-loops=1'
is "the outer tensor, in place" \
  "$(result "one-shot-bufferize{$options},$passes")" 5
is "the outer tensor, with copies" \
  "$(result "one-shot-bufferize{$options copy-before-write=1},$passes")" 1
# The second region yields it, and nothing copies it there.
opt "one-shot-bufferize{$options},cse,canonicalize" > made.mlir
outer=$(sed -n 's/^ *\(%alloc[_0-9]*\) = memref.alloc() .*/\1/p' made.mlir | head -n 1)
has made.mlir "linalg.fill ins(.*) outs($outer :"
has made.mlir "scf.yield $outer,"
echo "as described: scf.while yields the outer tensor's buffer, and then writes it"
