// Real-sized: one decoder layer of a small transformer with a growing cache, early exit and a greedy token loop, on buffers.
//
// Sizes: 16 tokens at most, model width 32, 4 heads of width 8, hidden width 64,
// a vocabulary of 128. No buffer is freed by the program.

memref.global "private" constant @attentionScale : memref<f32> = dense<0.353553385>
memref.global "private" constant @epsilon : memref<f32> = dense<1.0e-05>

func.func private @readToken(index) -> i32
func.func private @embedding() -> memref<128x32xf32>
func.func private @weights(index) -> memref<32x32xf32>
func.func private @reportLogits(memref<128xf32>)

// y = x * w, in a fresh buffer.
func.func private @project(%x: memref<?x32xf32>, %w: memref<32x32xf32>)
    -> memref<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = memref.dim %x, %c0 : memref<?x32xf32>
  %y = memref.alloc(%rows) : memref<?x32xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<?x32xf32>)
  linalg.matmul ins(%x, %w : memref<?x32xf32>, memref<32x32xf32>)
                outs(%y : memref<?x32xf32>)
  return %y : memref<?x32xf32>
}

// Sum of two buffers, in a fresh one.
func.func private @residual(%a: memref<?x32xf32>, %b: memref<?x32xf32>)
    -> memref<?x32xf32> {
  %c0 = arith.constant 0 : index
  %rows = memref.dim %a, %c0 : memref<?x32xf32>
  %sum = memref.alloc(%rows) : memref<?x32xf32>
  linalg.add ins(%a, %b : memref<?x32xf32>, memref<?x32xf32>)
             outs(%sum : memref<?x32xf32>)
  return %sum : memref<?x32xf32>
}

// Mean of the squares of each row.
func.func private @meanSquares(%x: memref<?x32xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %width = arith.constant 32.0 : f32
  %rows = memref.dim %x, %c0 : memref<?x32xf32>
  %means = memref.alloc(%rows) : memref<?xf32>
  scf.for %row = %c0 to %rows step %c1 {
    %sum = scf.for %column = %c0 to %c32 step %c1
        iter_args(%partial = %zero) -> (f32) {
      %value = memref.load %x[%row, %column] : memref<?x32xf32>
      %square = arith.mulf %value, %value : f32
      %next = arith.addf %partial, %square : f32
      scf.yield %next : f32
    }
    %mean = arith.divf %sum, %width : f32
    memref.store %mean, %means[%row] : memref<?xf32>
  }
  return %means : memref<?xf32>
}

// Root-mean-square normalisation. Without rows there is nothing to do, and the
// argument itself is the result.
func.func private @normalize(%x: memref<?x32xf32>) -> memref<?x32xf32> {
  %c0 = arith.constant 0 : index
  %rows = memref.dim %x, %c0 : memref<?x32xf32>
  %none = arith.cmpi eq, %rows, %c0 : index
  cf.cond_br %none, ^done(%x : memref<?x32xf32>), ^work
^work:
  %means = call @meanSquares(%x) : (memref<?x32xf32>) -> memref<?xf32>
  %scaled = memref.alloc(%rows) : memref<?x32xf32>
  %epsilonAt = memref.get_global @epsilon : memref<f32>
  %epsilon = memref.load %epsilonAt[] : memref<f32>
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>,
                     affine_map<(i, j) -> (i)>,
                     affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%x, %means : memref<?x32xf32>, memref<?xf32>)
    outs(%scaled : memref<?x32xf32>) {
  ^bb0(%value: f32, %mean: f32, %old: f32):
    %shifted = arith.addf %mean, %epsilon : f32
    %factor = math.rsqrt %shifted : f32
    %new = arith.mulf %value, %factor : f32
    linalg.yield %new : f32
  }
  cf.br ^done(%scaled : memref<?x32xf32>)
^done(%result: memref<?x32xf32>):
  return %result : memref<?x32xf32>
}

// Turns each row of scores into weights that add up to one, in place.
func.func private @softmaxRow(%scores: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %size = memref.dim %scores, %c0 : memref<?xf32>
  %largest = scf.for %i = %c0 to %size step %c1
      iter_args(%partial = %lowest) -> (f32) {
    %score = memref.load %scores[%i] : memref<?xf32>
    %next = arith.maximumf %partial, %score : f32
    scf.yield %next : f32
  }
  %total = scf.for %i = %c0 to %size step %c1
      iter_args(%partial = %zero) -> (f32) {
    %score = memref.load %scores[%i] : memref<?xf32>
    %shifted = arith.subf %score, %largest : f32
    %power = math.exp %shifted : f32
    memref.store %power, %scores[%i] : memref<?xf32>
    %next = arith.addf %partial, %power : f32
    scf.yield %next : f32
  }
  scf.for %i = %c0 to %size step %c1 {
    %power = memref.load %scores[%i] : memref<?xf32>
    %weight = arith.divf %power, %total : f32
    memref.store %weight, %scores[%i] : memref<?xf32>
  }
  return
}

// One head: each query looks at the keys up to its own position.
func.func private @head(%q: memref<?x32xf32>, %k: memref<?x32xf32>,
                        %v: memref<?x32xf32>, %out: memref<?x32xf32>,
                        %which: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %rows = memref.dim %q, %c0 : memref<?x32xf32>
  %offset = arith.muli %which, %c8 : index
  %queries = memref.subview %q[0, %offset] [%rows, 8] [1, 1]
    : memref<?x32xf32> to memref<?x8xf32, strided<[32, 1], offset: ?>>
  %keys = memref.subview %k[0, %offset] [%rows, 8] [1, 1]
    : memref<?x32xf32> to memref<?x8xf32, strided<[32, 1], offset: ?>>
  %values = memref.subview %v[0, %offset] [%rows, 8] [1, 1]
    : memref<?x32xf32> to memref<?x8xf32, strided<[32, 1], offset: ?>>
  %result = memref.subview %out[0, %offset] [%rows, 8] [1, 1]
    : memref<?x32xf32> to memref<?x8xf32, strided<[32, 1], offset: ?>>
  %scaleAt = memref.get_global @attentionScale : memref<f32>
  %scale = memref.load %scaleAt[] : memref<f32>
  scf.for %row = %c0 to %rows step %c1 {
    %seen = arith.addi %row, %c1 : index
    %scores = memref.alloc(%seen) : memref<?xf32>
    scf.for %other = %c0 to %seen step %c1 {
      %dot = scf.for %d = %c0 to %c8 step %c1
          iter_args(%partial = %zero) -> (f32) {
        %a = memref.load %queries[%row, %d]
          : memref<?x8xf32, strided<[32, 1], offset: ?>>
        %b = memref.load %keys[%other, %d]
          : memref<?x8xf32, strided<[32, 1], offset: ?>>
        %product = arith.mulf %a, %b : f32
        %next = arith.addf %partial, %product : f32
        scf.yield %next : f32
      }
      %score = arith.mulf %dot, %scale : f32
      memref.store %score, %scores[%other] : memref<?xf32>
    }
    func.call @softmaxRow(%scores) : (memref<?xf32>) -> ()
    scf.for %d = %c0 to %c8 step %c1 {
      %mixed = scf.for %other = %c0 to %seen step %c1
          iter_args(%partial = %zero) -> (f32) {
        %weight = memref.load %scores[%other] : memref<?xf32>
        %value = memref.load %values[%other, %d]
          : memref<?x8xf32, strided<[32, 1], offset: ?>>
        %product = arith.mulf %weight, %value : f32
        %next = arith.addf %partial, %product : f32
        scf.yield %next : f32
      }
      memref.store %mixed, %result[%row, %d]
        : memref<?x8xf32, strided<[32, 1], offset: ?>>
    }
  }
  return
}

// All heads, each in its own columns of one buffer.
func.func private @attention(%x: memref<?x32xf32>) -> memref<?x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %rows = memref.dim %x, %c0 : memref<?x32xf32>
  %wq = call @weights(%c0) : (index) -> memref<32x32xf32>
  %wk = call @weights(%c1) : (index) -> memref<32x32xf32>
  %wv = call @weights(%c2) : (index) -> memref<32x32xf32>
  %wo = call @weights(%c3) : (index) -> memref<32x32xf32>
  %q = call @project(%x, %wq)
    : (memref<?x32xf32>, memref<32x32xf32>) -> memref<?x32xf32>
  %k = call @project(%x, %wk)
    : (memref<?x32xf32>, memref<32x32xf32>) -> memref<?x32xf32>
  %v = call @project(%x, %wv)
    : (memref<?x32xf32>, memref<32x32xf32>) -> memref<?x32xf32>
  %mixed = memref.alloc(%rows) : memref<?x32xf32>
  scf.forall (%which) in (4) {
    func.call @head(%q, %k, %v, %mixed, %which)
      : (memref<?x32xf32>, memref<?x32xf32>, memref<?x32xf32>,
         memref<?x32xf32>, index) -> ()
  }
  %result = call @project(%mixed, %wo)
    : (memref<?x32xf32>, memref<32x32xf32>) -> memref<?x32xf32>
  return %result : memref<?x32xf32>
}

// Two layers of a perceptron with a gate between them.
func.func private @perceptron(%x: memref<?x32xf32>, %up: memref<32x64xf32>,
                              %down: memref<64x32xf32>) -> memref<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %rows = memref.dim %x, %c0 : memref<?x32xf32>
  %hidden = memref.alloc(%rows) : memref<?x64xf32>
  linalg.fill ins(%zero : f32) outs(%hidden : memref<?x64xf32>)
  linalg.matmul ins(%x, %up : memref<?x32xf32>, memref<32x64xf32>)
                outs(%hidden : memref<?x64xf32>)
  %active = memref.alloc(%rows) : memref<?x64xf32>
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>,
                     affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%hidden : memref<?x64xf32>) outs(%active : memref<?x64xf32>) {
  ^bb0(%value: f32, %old: f32):
    %negated = arith.negf %value : f32
    %power = math.exp %negated : f32
    %below = arith.addf %one, %power : f32
    %new = arith.divf %value, %below : f32
    linalg.yield %new : f32
  }
  %y = memref.alloc(%rows) : memref<?x32xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<?x32xf32>)
  linalg.matmul ins(%active, %down : memref<?x64xf32>, memref<64x32xf32>)
                outs(%y : memref<?x32xf32>)
  return %y : memref<?x32xf32>
}

// The layer: attention and perceptron, each with a residual. The perceptron can
// be switched off; then the state goes through as it is.
func.func @layer(%x: memref<?x32xf32>, %up: memref<32x64xf32>,
                 %down: memref<64x32xf32>, %onlyAttention: i1)
    -> memref<?x32xf32> {
  %n1 = call @normalize(%x) : (memref<?x32xf32>) -> memref<?x32xf32>
  %a = call @attention(%n1) : (memref<?x32xf32>) -> memref<?x32xf32>
  %state = call @residual(%x, %a)
    : (memref<?x32xf32>, memref<?x32xf32>) -> memref<?x32xf32>
  %result = scf.if %onlyAttention -> (memref<?x32xf32>) {
    scf.yield %state : memref<?x32xf32>
  } else {
    %n2 = func.call @normalize(%state)
      : (memref<?x32xf32>) -> memref<?x32xf32>
    %p = func.call @perceptron(%n2, %up, %down)
      : (memref<?x32xf32>, memref<32x64xf32>, memref<64x32xf32>)
      -> memref<?x32xf32>
    %sum = func.call @residual(%state, %p)
      : (memref<?x32xf32>, memref<?x32xf32>) -> memref<?x32xf32>
    scf.yield %sum : memref<?x32xf32>
  }
  return %result : memref<?x32xf32>
}

// One row more: the cache grows, and the row of the new token is put at its end.
func.func private @append(%cache: memref<?x32xf32>, %token: i32)
    -> memref<?x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %table = call @embedding() : () -> memref<128x32xf32>
  %row = arith.index_cast %token : i32 to index
  %rows = memref.dim %cache, %c0 : memref<?x32xf32>
  %more = arith.addi %rows, %c1 : index
  %grown = memref.alloc(%more) : memref<?x32xf32>
  %old = memref.subview %grown[0, 0] [%rows, 32] [1, 1]
    : memref<?x32xf32> to memref<?x32xf32, strided<[32, 1]>>
  memref.copy %cache, %old
    : memref<?x32xf32> to memref<?x32xf32, strided<[32, 1]>>
  %source = memref.subview %table[%row, 0] [1, 32] [1, 1]
    : memref<128x32xf32> to memref<1x32xf32, strided<[32, 1], offset: ?>>
  %target = memref.subview %grown[%rows, 0] [1, 32] [1, 1]
    : memref<?x32xf32> to memref<1x32xf32, strided<[32, 1], offset: ?>>
  memref.copy %source, %target
    : memref<1x32xf32, strided<[32, 1], offset: ?>>
    to memref<1x32xf32, strided<[32, 1], offset: ?>>
  return %grown : memref<?x32xf32>
}

// Scores of all words for the last row of the state.
func.func private @logits(%state: memref<?x32xf32>, %head: memref<32x128xf32>)
    -> memref<128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %rows = memref.dim %state, %c0 : memref<?x32xf32>
  %last = arith.subi %rows, %c1 : index
  %scores = memref.alloc() : memref<128xf32>
  scf.for %word = %c0 to %c128 step %c1 {
    %score = scf.for %d = %c0 to %c32 step %c1
        iter_args(%partial = %zero) -> (f32) {
      %value = memref.load %state[%last, %d] : memref<?x32xf32>
      %weight = memref.load %head[%d, %word] : memref<32x128xf32>
      %product = arith.mulf %value, %weight : f32
      %next = arith.addf %partial, %product : f32
      scf.yield %next : f32
    }
    memref.store %score, %scores[%word] : memref<128xf32>
  }
  return %scores : memref<128xf32>
}

// Index of the largest score.
func.func private @best(%scores: memref<128xf32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %first = arith.constant 0 : i32
  %start = memref.load %scores[%c0] : memref<128xf32>
  %found:2 = scf.for %word = %c1 to %c128 step %c1
      iter_args(%most = %start, %at = %first) -> (f32, i32) {
    %score = memref.load %scores[%word] : memref<128xf32>
    %better = arith.cmpf ogt, %score, %most : f32
    %position = arith.index_cast %word : index to i32
    %next = arith.select %better, %score, %most : f32
    %nextAt = arith.select %better, %position, %at : i32
    scf.yield %next, %nextAt : f32, i32
  }
  return %found#1 : i32
}

// Greedy generation until the end mark or 16 tokens. The cache is handed from
// step to step and replaced in each.
func.func @generate(%prompt: index, %up: memref<32x64xf32>,
                    %down: memref<64x32xf32>, %head: memref<32x128xf32>,
                    %onlyAttention: i1) -> memref<?x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %end = arith.constant 0 : i32
  %empty = memref.alloc(%c0) : memref<?x32xf32>
  %token = call @readToken(%prompt) : (index) -> i32
  %final:3 = scf.while (%cache = %empty, %current = %token, %count = %c0)
      : (memref<?x32xf32>, i32, index) -> (memref<?x32xf32>, i32, index) {
    %notEnd = arith.cmpi ne, %current, %end : i32
    %room = arith.cmpi ult, %count, %c16 : index
    %more = arith.andi %notEnd, %room : i1
    scf.condition(%more) %cache, %current, %count
      : memref<?x32xf32>, i32, index
  } do {
  ^bb0(%cache: memref<?x32xf32>, %current: i32, %count: index):
    %grown = func.call @append(%cache, %current)
      : (memref<?x32xf32>, i32) -> memref<?x32xf32>
    %state = func.call @layer(%grown, %up, %down, %onlyAttention)
      : (memref<?x32xf32>, memref<32x64xf32>, memref<64x32xf32>, i1)
      -> memref<?x32xf32>
    %scores = func.call @logits(%state, %head)
      : (memref<?x32xf32>, memref<32x128xf32>) -> memref<128xf32>
    func.call @reportLogits(%scores) : (memref<128xf32>) -> ()
    %next = func.call @best(%scores) : (memref<128xf32>) -> i32
    %done = arith.addi %count, %c1 : index
    scf.yield %grown, %next, %done : memref<?x32xf32>, i32, index
  }
  return %final#0 : memref<?x32xf32>
}
