// Nested regions: a buffer from outside is not owned inside, and each scf.if frees what its own branches made.
func.func private @consume(memref<8xf32>)

func.func @nestedRegions(%input: memref<8xf32>, %outer: i1, %inner: i1) {
  %top = memref.alloc() : memref<8xf32>
  memref.copy %input, %top : memref<8xf32> to memref<8xf32>
  %result = scf.if %outer -> (memref<8xf32>) {
    %middle = memref.alloc() : memref<8xf32>
    memref.copy %top, %middle : memref<8xf32> to memref<8xf32>
    %deep = scf.if %inner -> (memref<8xf32>) {
      scf.yield %middle : memref<8xf32>
    } else {
      scf.yield %top : memref<8xf32>
    }
    scf.yield %deep : memref<8xf32>
  } else {
    scf.yield %top : memref<8xf32>
  }
  call @consume(%result) : (memref<8xf32>) -> ()
  return
}
