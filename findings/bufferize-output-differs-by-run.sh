#!/bin/sh
# one-shot-bufferize gives another text in each run where functions have constants.
#
# Wrong guess: a pass without threads or randomness gives the same text for the same
# file. The functions of a module are analysed in an order that follows addresses, and
# each constant becomes a memref.global when its function's turn comes: order and
# numbers of the globals differ from run to run, wherever the system loads programs at
# random addresses.
#
# It matters to each cache that is keyed by the text of IR, each reproducible build, and
# each tool that compares two runs: a difference says nothing until globals are matched
# by what they hold. At fixed addresses (setarch -R) all texts are the same.
#
# Seen with mlir-opt of LLVM 22.1.8 (Debian's packages mlir-22-tools, libmlir-22 and
# libllvm22, 1:22.1.8-1~deb12u1): twelve functions with a constant each, without threads;
# more than one text in twelve runs (twelve, each time that it was tried).
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
  cat >> program.mlir <<END
func.func private @f$n(%i: index) -> i32 {
  %t = arith.constant dense<[$n, 20, 30, 40]> : tensor<4xi32>
  %x = tensor.extract %t[%i] : tensor<4xi32>
  return %x : i32
}
END
done
texts() {
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
    "$@" --one-shot-bufferize=bufferize-function-boundaries program.mlir | md5sum
  done | sort -u | wc -l
}
count=$(texts "$bin/mlir-opt" --mlir-disable-threading)
echo "$count texts in 12 runs"
[ "$count" -gt 1 ] || {
  echo "changed: each run gives the same text"
  exit 1
}
echo "as described: the same file, another text in each run"
