#!/bin/sh
# buffer-results-to-out-params makes one buffer of two that a function returns.
#
# Wrong guess: hoist-static-allocs=1 only saves a copy: the function writes into the
# out-param what it would have written into its allocation. Where the function has two
# returns, each with an allocation of its own, both allocations become the one
# out-param, though both are written before it is known which is returned. What was
# written last is what the caller reads, whichever return is taken.
#
# It matters since the option is what one reaches for when out-params cost a copy, and
# the program is valid, changes its result, and no pass or verifier says anything.
# Without the option, or with lift-cf-to-scf in front (one return), the result stays.
#
# Seen with mlir-opt and mlir-runner of LLVM 22.1.8 (Debian's packages mlir-22-tools,
# libmlir-22 and libllvm22, 1:22.1.8-1~deb12u1): 7 as written and without the option,
# 9 with it, and 7 again with lift-cf-to-scf in front.
#
# The script fails if that changes. It needs apt with a source that has the packages.
set -eu
. "$(dirname "$0")/support/mlir-22.sh"

cat > program.mlir <<'END'
func.func private @choose(%c: i1) -> memref<4xi32> {
  %i = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %nine = arith.constant 9 : i32
  %a = memref.alloc() : memref<4xi32>
  memref.store %seven, %a[%i] : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  memref.store %nine, %b[%i] : memref<4xi32>
  cf.cond_br %c, ^first, ^second
^first:
  return %a : memref<4xi32>
^second:
  return %b : memref<4xi32>
}
func.func @main() -> i32 {
  %true = arith.constant true
  %i = arith.constant 0 : index
  %m = call @choose(%true) : (i1) -> memref<4xi32>
  %x = memref.load %m[%i] : memref<4xi32>
  return %x : i32
}
END
is "the program" "$(result canonicalize)" 7
is "out-params" "$(result buffer-results-to-out-params)" 7
hoisted='buffer-results-to-out-params{hoist-static-allocs=1}'
is "$hoisted" "$(result "$hoisted")" 9
is "lift-cf-to-scf,$hoisted" "$(result "lift-cf-to-scf,$hoisted")" 7
echo "as described: two allocations that are returned become one out-param"
