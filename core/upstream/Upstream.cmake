# The LLVM whose passes memref-lens reproduces. Another one: README.md, beside.
set(MEMREF_LENS_REPRODUCED_MAJOR 22)
set(MEMREF_LENS_REPRODUCED_RELEASE 22.1.8)
set(MEMREF_LENS_LLVM_MAJOR ${MEMREF_LENS_REPRODUCED_MAJOR} CACHE STRING
  "LLVM whose passes are reproduced")
if(NOT MEMREF_LENS_LLVM_MAJOR EQUAL MEMREF_LENS_REPRODUCED_MAJOR)
  message(FATAL_ERROR "memref-lens reproduces the passes of LLVM \
${MEMREF_LENS_REPRODUCED_MAJOR}, not of ${MEMREF_LENS_LLVM_MAJOR}: \
core/upstream/README.md says what to change, and which test shows each step.")
endif()
