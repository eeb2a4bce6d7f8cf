# memref_lens_library(NAME SOURCES... [MLIR] [DEPENDS targets...]): a library of
# ours with the project's flags. Only with MLIR does it see MLIR's headers.

if(MEMREF_LENS_MLIR_PROBLEM)
  message(FATAL_ERROR "${MEMREF_LENS_MLIR_PROBLEM}")
endif()
message(STATUS "MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")

# MLIR's folders and libraries, for the targets that are allowed to see them.
# Exported empty: the installed package fills it with the MLIR that it finds.
add_library(memref_lens_mlir_here INTERFACE)
memref_lens_fill_mlir(memref_lens_mlir_here)
add_library(memref_lens_mlir INTERFACE)
set_target_properties(memref_lens_mlir PROPERTIES EXPORT_NAME Mlir)
target_link_libraries(memref_lens_mlir INTERFACE
  $<BUILD_INTERFACE:memref_lens_mlir_here>)

# Graphviz's, in the same way.
if(MEMREF_LENS_GRAPHVIZ_PROBLEM)
  message(FATAL_ERROR "${MEMREF_LENS_GRAPHVIZ_PROBLEM}")
endif()
add_library(memref_lens_graphviz_here INTERFACE)
memref_lens_fill_graphviz(memref_lens_graphviz_here)
add_library(memref_lens_graphviz INTERFACE)
set_target_properties(memref_lens_graphviz PROPERTIES EXPORT_NAME Graphviz)
target_link_libraries(memref_lens_graphviz INTERFACE
  $<BUILD_INTERFACE:memref_lens_graphviz_here>)

# And libarchive's.
if(MEMREF_LENS_ARCHIVE_PROBLEM)
  message(FATAL_ERROR "${MEMREF_LENS_ARCHIVE_PROBLEM}")
endif()
add_library(memref_lens_archive_here INTERFACE)
memref_lens_fill_archive(memref_lens_archive_here)
add_library(memref_lens_archive INTERFACE)
set_target_properties(memref_lens_archive PROPERTIES EXPORT_NAME Archive)
target_link_libraries(memref_lens_archive INTERFACE
  $<BUILD_INTERFACE:memref_lens_archive_here>)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# What names its own source (core/text/Sentence.h) names it from the top of the tree.
add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")

# memref_lens_flags(TARGET [LOADED_BY_OTHERS]): warnings, precompiled headers, and
# the sanitizers of this build. A program without a sanitizer cannot load a library
# that has one. To be called when the target's libraries are known.
function(memref_lens_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra
    -Wno-unused-parameter -Wno-restrict -Wnon-virtual-dtor -Wsuggest-override)
  if(MEMREF_LENS_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if("LOADED_BY_OTHERS" IN_LIST ARGN)
    return()
  endif()
  memref_lens_precompiled(${target})
  if(MEMREF_LENS_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=address,undefined -fno-omit-frame-pointer
      -fno-sanitize=vptr -fno-sanitize-recover=undefined
      # g++ finds some in LLVM's headers that only its checks make possible.
      -Wno-maybe-uninitialized)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
  if(MEMREF_LENS_FUZZ)
    # Without the comparisons' values, for which there are dictionaries, a run
    # takes half the time.
    target_compile_options(${target} PRIVATE -g1 -fno-omit-frame-pointer
      -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow
      -fno-sanitize=vptr -fno-sanitize-recover=all
      -fno-sanitize-coverage=trace-cmp)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
  if(MEMREF_LENS_TSAN)
    target_compile_options(${target} PRIVATE -g1 -fno-omit-frame-pointer
      -fsanitize=thread)
    target_link_options(${target} PUBLIC -fsanitize=thread)
  endif()
endfunction()

include(MemrefLensPrecompiled)

function(memref_lens_library name)
  cmake_parse_arguments(arg "MLIR" "" "DEPENDS" ${ARGN})
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  add_library(MemrefLens::${name} ALIAS ${name})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/memref-lens>)
  target_link_libraries(${name} PUBLIC ${arg_DEPENDS})
  if(arg_MLIR)
    # Private: who links us must ask for MLIR's headers itself.
    target_link_libraries(${name} PRIVATE memref_lens_mlir)
  endif()
  memref_lens_flags(${name})
endfunction()
