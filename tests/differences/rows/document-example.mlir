// The document's example allocates a dynamic size without giving one.
// args:
// error: incorrect number of dynamic sizes
func.func @dynamic() {
  %a = memref.alloc() : memref<?xi8>
  return
}
