// Every op of the dialect, and what becomes of its buffers.

// A buffer for each round; that of the round before is freed if it is owned.
func.func @rounds(%count: index, %size: index, %x: f32) -> memref<?xf32> {
  %first = loom.alloc %size : memref<?xf32>
  %last = loom.repeat %count (%first : memref<?xf32>) -> (memref<?xf32>) {
  ^body(%now: memref<?xf32>):
    %next = loom.alloc %size : memref<?xf32>
    loom.fill %x, %next : f32, memref<?xf32>
    loom.next %next : memref<?xf32>
  }
  return %last : memref<?xf32>
}

// The cache's own buffer stays; a fresh one is freed here.
func.func @peek(%key: index, %at: index) -> f32 {
  %found = loom.lookup %key : memref<?xf32>
  %value = memref.load %found[%at] : memref<?xf32>
  return %value : f32
}

// The caller must own what it gets: the cache makes a copy.
func.func @take(%key: index) -> memref<?xf32> {
  %found = loom.lookup %key : memref<?xf32>
  return %found : memref<?xf32>
}
