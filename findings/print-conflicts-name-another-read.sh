#!/bin/sh
# `print-conflicts` of one-shot-bufferize names one of several reasons, another in each
# run.
#
# Wrong guess: the marks C_n on a read, a write and a definition are the reason for a
# copy, so that moving that read removes it. Where several reads need the old contents,
# one of them is marked, and which one follows addresses: move it, and the copy stays,
# now with another mark.
#
# It matters since the marks are the only explanation of a copy that mlir-opt gives, and
# a test that expects them fails now and then.
#
# Seen with mlir-opt of LLVM 22.1.8 (Debian's packages mlir-22-tools, libmlir-22 and
# libllvm22, 1:22.1.8-1~deb12u1): eight reads after one write, one mark in each run, and
# more than one marked line in 24 runs. With fewer reads there is always one mark, too.
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

{
  echo 'func.func @f(%t: tensor<16xi32>, %i: index) -> (tensor<16xi32>, i32) {'
  echo '  %zero = arith.constant 0 : i32'
  echo '  %new = tensor.insert %zero into %t[%i] : tensor<16xi32>'
  last=zero
  for n in 1 2 3 4 5 6 7 8; do
    echo "  %x$n = tensor.extract %t[%i] : tensor<16xi32>"
    echo "  %s$n = arith.addi %$last, %x$n : i32"
    last=s$n
  done
  echo "  return %new, %$last : tensor<16xi32>, i32"
  echo '}'
} > program.mlir
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
  opt 'one-shot-bufferize{bufferize-function-boundaries=1 test-analysis-only=1 print-conflicts=1}' \
    > marked.mlir
  is "a run" "$(grep -c 'READ: ' marked.mlir)" 1
  grep -n 'READ: ' marked.mlir | cut -d : -f 1
done | sort > lines
hasNot lines changed
count=$(sort -u lines | wc -l)
echo "$count of 8 reads were marked"
[ "$count" -gt 1 ] || {
  echo "changed: the same read is marked in each run"
  exit 1
}
echo "as described: one of eight reasons is marked, another in each run"
