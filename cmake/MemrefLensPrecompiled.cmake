# Headers of others that most of our files see, compiled once: MLIR's for targets
# that see MLIR, the standard library's for the rest. Each file still includes what
# it uses: the builds with clang (fuzz targets, TSan) have none of this.
option(MEMREF_LENS_PRECOMPILED "Compile common headers once (g++ only)" ON)

# memref_lens_precompiled(TARGET): gives it what fits its libraries.
function(memref_lens_precompiled target)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  set(kind std)
  if("memref_lens_mlir" IN_LIST libraries)
    set(kind mlir)
  endif()
  if(NOT TARGET memref_lens_precompiled_${kind} OR
     target MATCHES "^memref_lens_precompiled_")
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM memref_lens_precompiled_${kind})
  # g++ 12 warns of std::string's own code, which it no longer takes for a system
  # header's when it was precompiled.
  target_compile_options(${target} PRIVATE -Wno-stringop-overflow
    -Wno-stringop-overread -Wno-array-bounds)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    # What was compiled with -fPIC does not fit -fPIE.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()

function(memref_lens_make_precompiled kind)
  set(name memref_lens_precompiled_${kind})
  set(source "${PROJECT_BINARY_DIR}/precompiled/${kind}.cpp")
  if(NOT EXISTS "${source}")
    file(WRITE "${source}" "// For the headers that are compiled with it.\n")
  endif()
  add_library(${name} OBJECT "${source}")
  target_precompile_headers(${name} PRIVATE ${ARGN})
  if(kind STREQUAL "mlir")
    target_link_libraries(${name} PRIVATE memref_lens_mlir)
  endif()
  memref_lens_flags(${name})
endfunction()

if(MEMREF_LENS_PRECOMPILED AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(standard_headers <algorithm> <array> <cstdint> <cstdio> <cstring> <deque>
    <functional> <map> <memory> <optional> <set> <string> <string_view>
    <unordered_map> <utility> <vector>)
  memref_lens_make_precompiled(std ${standard_headers})
  memref_lens_make_precompiled(mlir ${standard_headers}
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Bufferization/IR/Bufferization.h>
    <mlir/Dialect/ControlFlow/IR/ControlFlowOps.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/MemRef/IR/MemRef.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/IR/Builders.h>
    <mlir/IR/BuiltinOps.h>
    <mlir/IR/DialectRegistry.h>
    <mlir/IR/PatternMatch.h>
    <mlir/IR/SymbolTable.h>
    <mlir/Interfaces/FunctionInterfaces.h>
    <mlir/Interfaces/LoopLikeInterface.h>
    <mlir/Pass/PassManager.h>
    <llvm/ADT/MapVector.h>
    <llvm/ADT/SetVector.h>
    <llvm/ADT/StringExtras.h>)
endif()
