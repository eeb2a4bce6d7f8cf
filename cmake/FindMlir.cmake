# Finds LLVM/MLIR 22, for this build and for who uses the installed package.
# Sets MEMREF_LENS_MLIR_PROBLEM to a message where there is none that fits.
# Debian's MLIR package has a version file that no `find_package(MLIR 22)` fits,
# so the version is checked here. -DMLIR_DIR=<dir> names an LLVM elsewhere.

include("${CMAKE_CURRENT_LIST_DIR}/Upstream.cmake" OPTIONAL
  RESULT_VARIABLE upstream_file)
if(NOT upstream_file)
  include("${CMAKE_CURRENT_LIST_DIR}/../core/upstream/Upstream.cmake")
endif()
set(MEMREF_LENS_MLIR_PROBLEM "")
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
  set(MEMREF_LENS_MLIR_PROBLEM
    "MLIR was not found. On Debian install libmlir-22-dev, mlir-22-tools and \
llvm-22-dev (scripts/setup does that); for an LLVM elsewhere pass \
-DMLIR_DIR=<prefix>/lib/cmake/mlir.")
elseif(NOT LLVM_VERSION_MAJOR EQUAL MEMREF_LENS_LLVM_MAJOR)
  set(MEMREF_LENS_MLIR_PROBLEM
    "memref-lens reproduces the passes of LLVM ${MEMREF_LENS_LLVM_MAJOR}, but \
${MLIR_DIR} is of LLVM ${LLVM_PACKAGE_VERSION}. Pass \
-DMLIR_DIR=<prefix>/lib/cmake/mlir of an LLVM ${MEMREF_LENS_LLVM_MAJOR}.x.")
endif()

# memref_lens_fill_mlir(TARGET): gives an interface target MLIR's folders, flags
# and libraries. The shared libraries only, since static copies would register
# twice; and none to a program that has them inside (MemrefLensStatic.cmake).
function(memref_lens_fill_mlir target)
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  set_property(TARGET ${target} PROPERTY INTERFACE_INCLUDE_DIRECTORIES
    ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  set_property(TARGET ${target} PROPERTY INTERFACE_SYSTEM_INCLUDE_DIRECTORIES
    ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  set_property(TARGET ${target} PROPERTY INTERFACE_COMPILE_OPTIONS
    ${definitions})
  set(inside $<BOOL:$<TARGET_PROPERTY:MEMREF_LENS_MLIR_INSIDE>>)
  set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES
    $<$<NOT:${inside}>:MLIR> $<$<NOT:${inside}>:LLVM>)
  if(NOT LLVM_ENABLE_RTTI)
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_COMPILE_OPTIONS
      $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  endif()
endfunction()
