# Finds upstream's language server as a library, for this build and for who uses
# the installed package. Include FindMlir first. Sets
# MEMREF_LENS_MLIR_LSP_PROBLEM to a message where it is missing.

set(MEMREF_LENS_MLIR_LSP_PROBLEM "")
set(MEMREF_LENS_MLIR_LSP_LIBRARIES "")
# As files: CMake's targets would pull static copies of what libMLIR.so holds.
foreach(part MLIRLspServerLib MLIRLspServerSupportLib LLVMSupportLSP)
  find_library(MEMREF_LENS_${part} ${part} HINTS ${LLVM_LIBRARY_DIRS}
    ${LLVM_LIBRARY_DIR} NO_DEFAULT_PATH)
  mark_as_advanced(MEMREF_LENS_${part})
  list(APPEND MEMREF_LENS_MLIR_LSP_LIBRARIES "${MEMREF_LENS_${part}}")
  if(NOT MEMREF_LENS_${part})
    set(MEMREF_LENS_MLIR_LSP_PROBLEM
      "lib${part}.a was not found beside LLVM's other libraries in \
${LLVM_LIBRARY_DIRS}. On Debian and Ubuntu it is in libmlir-22-dev or \
llvm-22-dev.")
  endif()
endforeach()

# memref_lens_fill_mlir_lsp(TARGET): gives an interface target the libraries.
function(memref_lens_fill_mlir_lsp target)
  set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES
    ${MEMREF_LENS_MLIR_LSP_LIBRARIES})
endfunction()
