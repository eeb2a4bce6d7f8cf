// options: inline
// Two copies of a callee say nothing of each other, and each of itself.
#in = #lens.alias_scope<id = distinct[0]<>>
#out = #lens.alias_scope<id = distinct[1]<>>

func.func private @copy(%a: memref<?xf32>, %b: memref<?xf32>, %i: index) {
  lens.alias_domain_scope "copy" {
    %value = memref.load %a[%i] {probe = "load", lens.alias = #lens.aliasing<alias_scopes = [#in], noalias = [#out]>} : memref<?xf32>
    memref.store %value, %b[%i] {probe = "store", lens.alias = #lens.aliasing<alias_scopes = [#out], noalias = [#in]>} : memref<?xf32>
  }
  return
}

func.func @caller(%a: memref<?xf32>, %b: memref<?xf32>, %i: index) {
  func.call @copy(%a, %b, %i) : (memref<?xf32>, memref<?xf32>, index) -> ()
  func.call @copy(%b, %a, %i) : (memref<?xf32>, memref<?xf32>, index) -> ()
  return
}
// @caller load store scopes
// @caller load load may
// @caller load store may
// @caller store load may
// @caller store store may
// @caller load store scopes
