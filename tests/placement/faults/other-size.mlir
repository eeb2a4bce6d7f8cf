// pass: buffer-results-to-out-params{hoist-dynamic-allocs}
// ours: lens-out-params{hoist-dynamic-allocs}
// says: otherSize
// without: fence: 2 buffers, 2 left
// with: fence: use past the end

func.func private @f(%c: i1, %n: index, %k: index) -> memref<?xi64> {
  %seven = arith.constant 7 : i64
  %last = arith.constant 99 : index
  %small = memref.alloc(%n) : memref<?xi64>
  %large = memref.alloc(%k) : memref<?xi64>
  memref.store %seven, %large[%last] : memref<?xi64>
  cf.cond_br %c, ^small, ^large
^small:
  return %small : memref<?xi64>
^large:
  return %large : memref<?xi64>
}
func.func @main() {
  %false = arith.constant false
  %one = arith.constant 1 : index
  %hundred = arith.constant 100 : index
  %r = call @f(%false, %one, %hundred) : (i1, index, index) -> memref<?xi64>
  return
}
