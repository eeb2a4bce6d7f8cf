// args: --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true
// then: func\.func private @id\(%arg0: memref<4xf32>\) -> \(memref<4xf32>, i1\)
// then: return %arg0, %\w+ : memref<4xf32>, i1
// then: call @id\(%arg0\) : \(memref<4xf32>\) -> \(memref<4xf32>, i1\)
// not: clone
func.func private @id(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func @caller(%m: memref<4xf32>) {
  %r = call @id(%m) : (memref<4xf32>) -> memref<4xf32>
  return
}
