// Cases of the aliasing proposal. After each function, what is stated about each
// two accesses: `may` where nothing is.
#in = #lens.alias_scope<id = distinct[0]<>, description = "in">
#out = #lens.alias_scope<id = distinct[1]<>>
#third = #lens.alias_scope<id = distinct[2]<>>

// A load and a store that the writer knows apart.
func.func @loadAndStore(%a: memref<?xf32>, %b: memref<?xf32>, %i: index) -> f32 {
  %0 = lens.alias_domain_scope "The Domain" -> f32 {
    %value = memref.load %a[%i] {probe = "load", lens.alias = #lens.aliasing<alias_scopes = [#in], noalias = [#out]>} : memref<?xf32>
    memref.store %value, %b[%i] {probe = "store", lens.alias = #lens.aliasing<alias_scopes = [#out], noalias = [#in]>} : memref<?xf32>
    memref.store %value, %b[%i] {probe = "plain"} : memref<?xf32>
    lens.alias_domain_scope.return %value : f32
  }
  return %0 : f32
}
// @loadAndStore load store scopes
// @loadAndStore load plain may
// @loadAndStore store plain may

// Two elements of one memref, which no distinct objects can say.
func.func @sameMemref(%a: memref<?xf32>, %i: index, %j: index) {
  lens.alias_domain_scope {
    %value = memref.load %a[%i] {probe = "load", lens.alias = #lens.aliasing<alias_scopes = [#in], noalias = [#out]>} : memref<?xf32>
    memref.store %value, %a[%j] {probe = "store", lens.alias = #lens.aliasing<alias_scopes = [#out], noalias = [#in]>} : memref<?xf32>
  }
  return
}
// @sameMemref load store scopes

// The subset rule: all scopes of one, in either direction, and not of an op that
// has none.
func.func @subset(%a: memref<?xf32>, %i: index) {
  lens.alias_domain_scope {
    %x = memref.load %a[%i] {probe = "both", lens.alias = #lens.aliasing<alias_scopes = [#in, #third]>} : memref<?xf32>
    %y = memref.load %a[%i] {probe = "excludesOne", lens.alias = #lens.aliasing<noalias = [#in]>} : memref<?xf32>
    %z = memref.load %a[%i] {probe = "excludesMore", lens.alias = #lens.aliasing<noalias = [#out, #third, #in]>} : memref<?xf32>
    %w = memref.load %a[%i] {probe = "empty", lens.alias = #lens.aliasing<alias_scopes = [], noalias = []>} : memref<?xf32>
  }
  return
}
// @subset both excludesOne may
// @subset both excludesMore scopes
// @subset both empty may
// @subset excludesOne excludesMore may
// @subset excludesOne empty may
// @subset excludesMore empty may

// Only the innermost domain counts.
func.func @nested(%a: memref<?xf32>, %i: index) {
  lens.alias_domain_scope "outer" {
    %x = memref.load %a[%i] {probe = "outside", lens.alias = #lens.aliasing<alias_scopes = [#in], noalias = [#out]>} : memref<?xf32>
    lens.alias_domain_scope "inner" {
      %y = memref.load %a[%i] {probe = "first", lens.alias = #lens.aliasing<alias_scopes = [#out], noalias = [#in]>} : memref<?xf32>
      %z = memref.load %a[%i] {probe = "second", lens.alias = #lens.aliasing<alias_scopes = [#in], noalias = [#out]>} : memref<?xf32>
    }
  }
  return
}
// @nested outside first may
// @nested outside second may
// @nested first second scopes

// A loop-carried memref: its scope is on the access, wherever it comes from.
func.func @loopCarried(%a: memref<?xf32>, %b: memref<?xf32>, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  lens.alias_domain_scope {
    %x = memref.load %a[%i] {probe = "before", lens.alias = #lens.aliasing<alias_scopes = [#in], noalias = [#out]>} : memref<?xf32>
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%m = %b) -> (memref<?xf32>) {
      %y = memref.load %m[%i] {probe = "carried", lens.alias = #lens.aliasing<alias_scopes = [#out], noalias = [#in]>} : memref<?xf32>
      scf.yield %m : memref<?xf32>
    }
  }
  return
}
// @loopCarried before carried scopes
