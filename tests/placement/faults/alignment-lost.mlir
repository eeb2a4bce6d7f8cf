// pass: buffer-results-to-out-params{hoist-static-allocs}
// ours: lens-out-params{hoist-static-allocs}
// says: alignmentLost
// run: plain
// without: 1
// with: 0

// 1: the addresses of both are multiples of 4096, which two small buffers side by
// side cannot be by chance.
func.func private @printI64(i64)
func.func private @f() -> memref<4xi64> {
  %a = memref.alloc() {alignment = 4096 : i64} : memref<4xi64>
  return %a : memref<4xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %page = arith.constant 4096 : index
  %r = call @f() : () -> memref<4xi64>
  %s = call @f() : () -> memref<4xi64>
  %first = memref.extract_aligned_pointer_as_index %r : memref<4xi64> -> index
  %second = memref.extract_aligned_pointer_as_index %s : memref<4xi64> -> index
  %both = arith.ori %first, %second : index
  %rest = arith.remui %both, %page : index
  %isAligned = arith.cmpi eq, %rest, %c0 : index
  %x = arith.extui %isAligned : i1 to i64
  call @printI64(%x) : (i64) -> ()
  return
}
