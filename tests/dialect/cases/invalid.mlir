#in = #lens.alias_scope<id = distinct[0]<>>
func.func @outside(%a: memref<?xf32>, %i: index) {
  // expected-error @below {{needs a lens.alias_domain_scope around the op}}
  %0 = memref.load %a[%i] {lens.alias = #lens.aliasing<alias_scopes = [#in]>} : memref<?xf32>
  return
}

// -----

func.func @wrongAttribute(%a: memref<?xf32>, %i: index) {
  lens.alias_domain_scope {
    // expected-error @below {{'lens.alias' expects #lens.aliasing}}
    %0 = memref.load %a[%i] {lens.alias = 1 : i32} : memref<?xf32>
  }
  return
}

// -----

func.func @unknownAttribute() {
  // expected-error @below {{which the dialect 'lens' does not know}}
  %0 = arith.constant {lens.something} 1 : i32
  return
}

// -----

#in = #lens.alias_scope<id = distinct[0]<>>
func.func @noAccess(%i: index) {
  lens.alias_domain_scope {
    // expected-error @below {{'lens.alias' is for ops that access memory}}
    %0 = arith.addi %i, %i {lens.alias = #lens.aliasing<alias_scopes = [#in]>} : index
  }
  return
}

// -----

func.func @results(%a: f32) -> f32 {
  // expected-error @below {{has results of types}}
  %0 = lens.alias_domain_scope -> f32 {
    lens.alias_domain_scope.return
  }
  return %0 : f32
}

// -----

func.func @arguments(%a: memref<8xf32>) {
  // expected-error @below {{has objects of types}}
  lens.distinct_objects(%a : memref<8xf32>) {
  ^bb0:
  }
  return
}

// -----

// expected-error @below {{expects #lens.alias_scope, not 1}}
#wrong = #lens.aliasing<alias_scopes = [1 : i32]>

// -----

#in = #lens.alias_scope<id = distinct[0]<>>
// expected-error @below {{names a scope twice}}
#twice = #lens.aliasing<noalias = [#in, #in]>

// -----

func.func @operands(%c: i1, %a: memref<8xf32>) {
  // expected-note @+2 {{region branch point}}
  // expected-error @below {{along control flow edge}}
  sample.region_if %c (%a : memref<8xf32>)
  then(%x: memref<8xf32>) {
    sample.yield
  } else {
    sample.yield
  } join {
    sample.yield
  }
  return
}

// -----

func.func @joined(%c: i1, %a: memref<8xf32>) {
  // expected-error @below {{along control flow edge}}
  sample.region_if %c (%a : memref<8xf32>)
  then(%x: memref<8xf32>) {
    sample.yield %x : memref<8xf32>
  } else(%x: memref<8xf32>) {
    // expected-note @below {{region branch point}}
    sample.yield
  } join(%x: memref<8xf32>) {
    sample.yield
  }
  return
}

// -----

func.func @given(%c: i1, %a: memref<8xf32>) {
  // expected-error @below {{along control flow edge}}
  %r = sample.region_if %c -> memref<8xf32>
  then {
    sample.yield
  } else {
    sample.yield
  } join {
    // expected-note @below {{region branch point}}
    sample.yield
  }
  return
}

// -----

func.func @ends(%c: i1) {
  // expected-error @below {{expects region 'else' to end with 'sample.yield'}}
  sample.region_if %c
  then {
    sample.yield
  } else {
    llvm.unreachable
  } join {
    sample.yield
  }
  return
}

// -----

func.func @elsewhere(%c: i1) {
  scf.if %c {
    // expected-error @below {{expects parent op 'sample.region_if'}}
    sample.yield
  }
  return
}
