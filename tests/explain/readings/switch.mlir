// One of three, of which one is the caller's.
//? must: true yielded by region 1 of scf.index_switch (8:8), with %t
//? must: yielded by region 0 of scf.index_switch (8:8), with %p
//? must: true yielded by region 2 of scf.index_switch (8:8), with %u
//? not: not known where
func.func private @use(memref<4xf32>)
func.func @switch(%i: index, %p: memref<4xf32>) {
  %r = scf.index_switch %i -> memref<4xf32>
  case 0 {
    %t = memref.alloc() : memref<4xf32>
    func.call @use(%t) : (memref<4xf32>) -> ()
    scf.yield %t : memref<4xf32>
  }
  case 1 {
    %u = memref.alloc() : memref<4xf32>
    func.call @use(%u) : (memref<4xf32>) -> ()
    scf.yield %u : memref<4xf32>
  }
  default {
    scf.yield %p : memref<4xf32>
  }
  call @use(%r) : (memref<4xf32>) -> ()
  return
}
