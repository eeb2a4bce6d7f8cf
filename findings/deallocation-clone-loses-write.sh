#!/bin/sh
# buffer-deallocation-pipeline changes what a program computes.
#
# Wrong guess: the pipeline adds deallocations, and clones where a function returns what
# it does not own, so that the program computes what it did. A clone is memory of its
# own. Where a caller writes through the memref that a function returns, and reads the
# memref that it passed, the two were one before, and the write is lost.
#
# It matters since a function that returns its argument is what bufferization and
# automatic differentiation make; the pipeline says nothing, and a memory checker finds
# nothing, since each of the two buffers is used and deallocated as it should be. With
# buffer-results-to-out-params in front there is a copy in place of the clone, and the
# same result. drop-equivalent-buffer-results in front, or the option
# private-function-dynamic-ownership, keep what the program says.
#
# Seen with mlir-opt and mlir-runner of LLVM 22.1.8 (Debian's packages mlir-22-tools,
# libmlir-22 and libllvm22, 1:22.1.8-1~deb12u1): 1 as written; 0 after the pipeline, and
# with out-params in front; 1 with the two others.
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

cat > program.mlir <<'END'
func.func private @same(%m: memref<4xi32>) -> memref<4xi32> {
  return %m : memref<4xi32>
}
func.func @main() -> i32 {
  %i = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc() : memref<4xi32>
  memref.store %zero, %a[%i] : memref<4xi32>
  %r = call @same(%a) : (memref<4xi32>) -> memref<4xi32>
  memref.store %one, %r[%i] : memref<4xi32>
  %x = memref.load %a[%i] : memref<4xi32>
  return %x : i32
}
END
is "the program" "$(result canonicalize)" 1
is "the pipeline" "$(result buffer-deallocation-pipeline)" 0
is "out-params in front" \
  "$(result buffer-results-to-out-params,buffer-deallocation-pipeline)" 0
is "drop-equivalent-buffer-results in front" \
  "$(result drop-equivalent-buffer-results,buffer-deallocation-pipeline)" 1
dynamic='buffer-deallocation-pipeline{private-function-dynamic-ownership=1}'
is "$dynamic" "$(result "$dynamic")" 1
echo "as described: a clone does not see what is written to what it was made of"
