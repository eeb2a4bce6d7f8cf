// Structured control flow: what goes into regions and what comes out.
func.func private @use(memref<8xf32>)

func.func @if(%given: memref<8xf32>, %choice: i1) {
  %either = scf.if %choice -> (memref<8xf32>) {
    %made = memref.alloc() : memref<8xf32>
    func.call @use(%made) : (memref<8xf32>) -> ()
    scf.yield %made : memref<8xf32>
  } else {
    scf.yield %given : memref<8xf32>
  }
  call @use(%either) : (memref<8xf32>) -> ()
  return
}

func.func @for(%given: memref<8xf32>, %from: index, %to: index, %by: index) {
  %kept = memref.alloc() : memref<8xf32>
  %last = scf.for %i = %from to %to step %by iter_args(%held = %given)
      -> (memref<8xf32>) {
    func.call @use(%held) : (memref<8xf32>) -> ()
    func.call @use(%kept) : (memref<8xf32>) -> ()
    %next = memref.alloc() : memref<8xf32>
    func.call @use(%next) : (memref<8xf32>) -> ()
    scf.yield %next : memref<8xf32>
  }
  call @use(%last) : (memref<8xf32>) -> ()
  return
}

// -----

// The result of a rebuilt op is live into the next block.
func.func private @use(memref<8xf32>)

func.func @live_across(%given: memref<8xf32>, %choice: i1) {
  %either = scf.if %choice -> (memref<8xf32>) {
    %made = memref.alloc() : memref<8xf32>
    func.call @use(%made) : (memref<8xf32>) -> ()
    scf.yield %made : memref<8xf32>
  } else {
    scf.yield %given : memref<8xf32>
  }
  cf.cond_br %choice, ^use, ^skip
^use:
  call @use(%either) : (memref<8xf32>) -> ()
  return
^skip:
  return
}
