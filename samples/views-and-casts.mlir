// Subviews and casts: a view has the ownership of its source, and only the source is put on the list.
func.func private @consume(memref<?x?xf32, strided<[?, ?], offset: ?>>)

func.func @viewsAndCasts(%input: memref<16x16xf32>, %at: index) {
  %copy = memref.alloc() : memref<16x16xf32>
  memref.copy %input, %copy : memref<16x16xf32> to memref<16x16xf32>
  %tile = memref.subview %copy[%at, %at] [4, 4] [1, 1]
    : memref<16x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
  %any = memref.cast %tile : memref<4x4xf32, strided<[16, 1], offset: ?>>
    to memref<?x?xf32, strided<[?, ?], offset: ?>>
  call @consume(%any) : (memref<?x?xf32, strided<[?, ?], offset: ?>>) -> ()
  return
}
