// A buffer is handed round a loop, and a branch inside makes a new one: each way in and round passes a copy, and each iteration frees what the one before handed it. Behind the pass 4 clones and 4 deallocs, in the end 2 and 2.
// options: --pipeline=classic
func.func @loopNestedIf(%from: index, %to: index, %step: index,
                        %initial: memref<16xf32>, %out: memref<16xf32>) {
  %final = scf.for %i = %from to %to step %step
      iter_args(%current = %initial) -> (memref<16xf32>) {
    %isFirst = arith.cmpi eq, %i, %from : index
    %next = scf.if %isFirst -> (memref<16xf32>) {
      %fresh = memref.alloc() : memref<16xf32>
      memref.copy %current, %fresh : memref<16xf32> to memref<16xf32>
      scf.yield %fresh : memref<16xf32>
    } else {
      scf.yield %current : memref<16xf32>
    }
    scf.yield %next : memref<16xf32>
  }
  memref.copy %final, %out : memref<16xf32> to memref<16xf32>
  return
}
