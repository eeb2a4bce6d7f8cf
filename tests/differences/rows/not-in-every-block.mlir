// Nothing before the return, but an empty one before the branch.
// args: --ownership-based-buffer-deallocation
// count 1: bufferization\.dealloc
// then: func\.func @branches
// then: bufferization\.dealloc$
// then: cf\.br
func.func @returns(%c: i1) {
  return
}
func.func @branches() {
  cf.br ^bb1
^bb1:
  return
}
