// A stream from DRAM (space 1) through L1 (space 2): two buffers change places in each round, one is computed on while DMA fills the other.
// options: --space 1=DRAM --space 2=L1,40KiB
func.func private @dma_in(memref<?xf32, 1>, index, memref<4096xf32, 2>)
func.func private @dma_out(memref<4096xf32, 2>, memref<?xf32, 1>, index)
func.func private @wait()
func.func private @compute(memref<4096xf32, 2>, memref<4096xf32, 2>)

func.func @stream(%blocks: index, %input: memref<?xf32, 1>, %output: memref<?xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<4096xf32, 2>
  %second = memref.alloc() : memref<4096xf32, 2>
  func.call @dma_in(%input, %c0, %first) : (memref<?xf32, 1>, index, memref<4096xf32, 2>) -> ()
  scf.for %block = %c0 to %blocks step %c1 iter_args(%now = %first, %next = %second)
      -> (memref<4096xf32, 2>, memref<4096xf32, 2>) {
    func.call @wait() : () -> ()
    %ahead = arith.addi %block, %c1 : index
    func.call @dma_in(%input, %ahead, %next) : (memref<?xf32, 1>, index, memref<4096xf32, 2>) -> ()
    %result = memref.alloc() : memref<4096xf32, 2>
    func.call @compute(%now, %result) : (memref<4096xf32, 2>, memref<4096xf32, 2>) -> ()
    func.call @dma_out(%result, %output, %block) : (memref<4096xf32, 2>, memref<?xf32, 1>, index) -> ()
    scf.yield %next, %now : memref<4096xf32, 2>, memref<4096xf32, 2>
  }
  return
}
