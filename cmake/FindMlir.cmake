# Finds LLVM/MLIR 22 and stops with a clear message where it is another version.
# Debian's MLIR package has a version file that no `find_package(MLIR 22)` fits,
# so the version is checked here. -DMLIR_DIR=<dir> names an LLVM elsewhere.

set(MEMREF_LENS_LLVM_MAJOR 22)
if(NOT MLIR_DIR)
  find_package(MLIR CONFIG QUIET
    HINTS "/usr/lib/llvm-${MEMREF_LENS_LLVM_MAJOR}/lib/cmake/mlir"
    PATHS "/usr/lib/llvm-${MEMREF_LENS_LLVM_MAJOR}/lib/cmake/mlir"
    NO_DEFAULT_PATH)
endif()
if(NOT MLIR_FOUND)
  find_package(MLIR CONFIG QUIET)
endif()
if(NOT MLIR_FOUND)
  message(FATAL_ERROR
    "MLIR was not found. On Debian install libmlir-22-dev, mlir-22-tools and "
    "llvm-22-dev (scripts/setup does that); for an LLVM elsewhere pass "
    "-DMLIR_DIR=<prefix>/lib/cmake/mlir.")
endif()
if(NOT LLVM_VERSION_MAJOR EQUAL MEMREF_LENS_LLVM_MAJOR)
  message(FATAL_ERROR
    "memref-lens reproduces the passes of LLVM ${MEMREF_LENS_LLVM_MAJOR}, but "
    "${MLIR_DIR} is of LLVM ${LLVM_PACKAGE_VERSION}. Pass "
    "-DMLIR_DIR=<prefix>/lib/cmake/mlir of an LLVM "
    "${MEMREF_LENS_LLVM_MAJOR}.x.")
endif()
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")

# MLIR's folders and libraries, for the targets that are allowed to see them.
add_library(memref_lens_mlir INTERFACE)
target_include_directories(memref_lens_mlir SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(memref_lens_llvm_definitions NATIVE_COMMAND
  "${LLVM_DEFINITIONS}")
target_compile_definitions(memref_lens_mlir INTERFACE
  ${memref_lens_llvm_definitions})
target_link_libraries(memref_lens_mlir INTERFACE MLIR LLVM)
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(memref_lens_mlir INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
