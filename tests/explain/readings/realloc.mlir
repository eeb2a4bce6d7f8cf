// expand-realloc makes a scf.if of it.
//? must: true yielded by the then region of
//? must: yielded by the else region of
//? not: not known where
func.func private @use(memref<?xf32>)
func.func @grown(%n: index, %m: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %r = memref.realloc %a(%m) : memref<?xf32> to memref<?xf32>
  call @use(%r) : (memref<?xf32>) -> ()
  return
}
