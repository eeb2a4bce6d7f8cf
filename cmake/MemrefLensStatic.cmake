# Programs that have MLIR and LLVM in them, in place of libMLIR.so and libLLVM.so,
# which take 40 ms and more to load. Plugins need the shared ones: what they are
# built against must be there once in a process.

find_program(MEMREF_LENS_LLD ld.lld HINTS "${LLVM_TOOLS_BINARY_DIR}")
find_library(MEMREF_LENS_ZSTD zstd)
# The shared one brings eight more with it, of which we need none.
find_library(MEMREF_LENS_ARCHIVE_STATIC libarchive.a)
mark_as_advanced(MEMREF_LENS_LLD MEMREF_LENS_ZSTD MEMREF_LENS_ARCHIVE_STATIC)
file(GLOB MEMREF_LENS_ARCHIVES "${LLVM_LIBRARY_DIR}/libMLIR*.a"
  "${LLVM_LIBRARY_DIR}/libLLVM*.a")
set(possible OFF)
if(MEMREF_LENS_LLD AND MEMREF_LENS_ZSTD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
   AND EXISTS "${LLVM_LIBRARY_DIR}/libMLIRIR.a"
   AND EXISTS "${LLVM_LIBRARY_DIR}/libLLVMCore.a")
  set(possible ON)
endif()
option(MEMREF_LENS_STATIC_MLIR
  "Link MLIR and LLVM into the programs: they start faster" ${possible})
if(MEMREF_LENS_SANITIZE OR MEMREF_LENS_FUZZ OR MEMREF_LENS_TSAN)
  set(MEMREF_LENS_STATIC_MLIR OFF)
elseif(MEMREF_LENS_STATIC_MLIR AND NOT possible)
  message(FATAL_ERROR "MEMREF_LENS_STATIC_MLIR needs g++, lld, libzstd, and MLIR's \
and LLVM's archives in ${LLVM_LIBRARY_DIR}. On Debian install lld-22, libzstd-dev, \
libmlir-22-dev and llvm-22-dev (scripts/setup does that).")
endif()

# memref_lens_has_mlir_inside(TARGET): links the program so.
function(memref_lens_has_mlir_inside target)
  get_filename_component(folder "${MEMREF_LENS_LLD}" DIRECTORY)
  set_target_properties(${target} PROPERTIES MEMREF_LENS_MLIR_INSIDE ON)
  target_link_options(${target} PRIVATE -pie "-B${folder}" -fuse-ld=lld
    -Wl,--gc-sections -Wl,--as-needed
    # A fifth of the program is functions that others are equal to, byte for byte.
    # Of data each keeps its address, on which MLIR's TypeIDs rest; nobody compares
    # those of functions.
    -Wl,--icf=all
    # But for these, which valgrind tells apart by their names.
    -Wl,--keep-unique=_ZdlPv -Wl,--keep-unique=_ZdlPvm
    -Wl,--keep-unique=_ZdaPv -Wl,--keep-unique=_ZdaPvm
    -Wl,--keep-unique=_ZdlPvSt11align_val_t -Wl,--keep-unique=_ZdlPvmSt11align_val_t
    -Wl,--keep-unique=_Znwm -Wl,--keep-unique=_Znam
    # A tenth of the bytes that the loader reads at the start; glibc 2.36.
    -Wl,-z,pack-relative-relocs
    # Else 18,000 references of types to libstdc++ are resolved at each start.
    -static-libstdc++ -static-libgcc
    # What runs once at the start stands together, not on 500 pages.
    -Wl,-z,keep-text-section-prefix
    # Some archives have some, at which valgrind ends.
    -Wl,--strip-debug)
  # lld takes from archives in any order.
  target_link_libraries(${target} PRIVATE ${MEMREF_LENS_ARCHIVES}
    "${MEMREF_LENS_ZSTD}" "${ZLIB_LIBRARIES}")
  if(MEMREF_LENS_ARCHIVE_STATIC)
    set_target_properties(${target} PROPERTIES MEMREF_LENS_ARCHIVE_INSIDE ON)
    target_link_libraries(${target} PRIVATE "${MEMREF_LENS_ARCHIVE_STATIC}")
  endif()
endfunction()
