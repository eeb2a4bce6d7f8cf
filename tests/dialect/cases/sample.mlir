// The dialect of the samples: every form of its op.
func.func @none(%c: i1) {
  sample.region_if %c then {
    sample.yield
  } else {
    sample.yield
  } join {
    sample.yield
  }
  return
}

func.func @several(%c: i1, %a: memref<?xf32>, %n: index) -> (memref<?xf32>, index) {
  %r:2 = sample.region_if %c (%a, %n : memref<?xf32>, index) -> (memref<?xf32>, index) attributes {kept = 1 : i32}
  then(%x: memref<?xf32>, %i: index) {
    sample.yield %i, %x : index, memref<?xf32>
  } else(%x: memref<?xf32>, %i: index) {
    %fresh = memref.alloc(%i) : memref<?xf32>
    sample.yield %i, %fresh : index, memref<?xf32>
  } join(%i: index, %x: memref<?xf32>) {
    %inner = sample.region_if %c (%x : memref<?xf32>) -> memref<?xf32>
    then(%y: memref<?xf32>) {
      sample.yield {marked} %y : memref<?xf32>
    } else(%y: memref<?xf32>) {
      sample.yield %x : memref<?xf32>
    } join(%y: memref<?xf32>) {
      sample.yield %y : memref<?xf32>
    }
    sample.yield %inner, %i : memref<?xf32>, index
  }
  return %r#0, %r#1 : memref<?xf32>, index
}
