// A subview forwarded to another block: the block argument may point into the source, which is therefore retained through it.
func.func private @consume(memref<4xf32, strided<[1], offset: ?>>)

func.func @viewOutlivesBlock(%input: memref<16xf32>, %at: index, %mine: i1) {
  %copy = memref.alloc() : memref<16xf32>
  memref.copy %input, %copy : memref<16xf32> to memref<16xf32>
  %part = memref.subview %copy[%at] [4] [1]
    : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  cf.cond_br %mine, ^use(%part : memref<4xf32, strided<[1], offset: ?>>), ^theirs
^theirs:
  %given = memref.subview %input[%at] [4] [1]
    : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  call @consume(%given) : (memref<4xf32, strided<[1], offset: ?>>) -> ()
  cf.br ^use(%given : memref<4xf32, strided<[1], offset: ?>>)
^use(%view: memref<4xf32, strided<[1], offset: ?>>):
  call @consume(%view) : (memref<4xf32, strided<[1], offset: ?>>) -> ()
  return
}
