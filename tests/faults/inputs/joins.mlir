// Results that may be one of several memrefs, and how they are returned.
func.func private @use(memref<8xf32>)

func.func @select(%given: memref<8xf32>, %choice: i1) -> memref<8xf32> {
  %made = memref.alloc() : memref<8xf32>
  %either = arith.select %choice, %made, %given : memref<8xf32>
  return %either : memref<8xf32>
}

func.func @select_of_select(%given: memref<8xf32>, %choice: i1, %other: i1)
    -> memref<8xf32> {
  %made = memref.alloc() : memref<8xf32>
  %more = memref.alloc() : memref<8xf32>
  %inner = arith.select %choice, %given, %made : memref<8xf32>
  %outer = arith.select %other, %inner, %more : memref<8xf32>
  return %outer : memref<8xf32>
}

func.func @view_of_unknown(%given: memref<8xf32>, %choice: i1, %other: i1,
                           %from: index)
    -> memref<4xf32, strided<[1], offset: ?>> {
  %made = memref.alloc() : memref<8xf32>
  %more = memref.alloc() : memref<8xf32>
  %inner = arith.select %choice, %given, %made : memref<8xf32>
  %outer = arith.select %other, %inner, %more : memref<8xf32>
  %view = memref.subview %outer[%from] [4] [1]
      : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  return %view : memref<4xf32, strided<[1], offset: ?>>
}

func.func @view_of_two_allocations(%choice: i1, %from: index)
    -> memref<4xf32, strided<[1], offset: ?>> {
  %first = memref.alloc() : memref<8xf32>
  %second = memref.alloc() : memref<8xf32>
  %either = arith.select %choice, %first, %second : memref<8xf32>
  %view = memref.subview %either[%from] [4] [1]
      : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  return %view : memref<4xf32, strided<[1], offset: ?>>
}

func.func @argument(%given: memref<8xf32>) -> memref<8xf32> {
  return %given : memref<8xf32>
}

func.func @allocation() -> (memref<8xf32>, memref<8xf32>) {
  %made = memref.alloc() : memref<8xf32>
  return %made, %made : memref<8xf32>, memref<8xf32>
}

memref.global "private" constant @table : memref<8xf32> = dense<1.0>
func.func @global() -> memref<8xf32> {
  %table = memref.get_global @table : memref<8xf32>
  return %table : memref<8xf32>
}

func.func @view_in_a_region(%choice: i1, %from: index) {
  %made = memref.alloc() : memref<8xf32>
  scf.if %choice {
    %view = memref.subview %made[%from] [4] [1]
        : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
    %cast = memref.cast %view
        : memref<4xf32, strided<[1], offset: ?>> to memref<*xf32>
    func.call @use_any(%cast) : (memref<*xf32>) -> ()
  }
  return
}
func.func private @use_any(memref<*xf32>)
