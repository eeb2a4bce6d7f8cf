# `memref_lens_allocator(target)`: the program takes its memory from mimalloc where
# that is installed, which saves about a tenth of an analysis; from the C library
# elsewhere. Nothing in the sources names it.
find_package(mimalloc CONFIG QUIET)

# Sanitizers bring their own.
if(MEMREF_LENS_SANITIZE OR MEMREF_LENS_TSAN OR MEMREF_LENS_FUZZ)
  set(MEMREF_LENS_ALLOCATOR "")
elseif(TARGET mimalloc)
  set(MEMREF_LENS_ALLOCATOR mimalloc)
else()
  set(MEMREF_LENS_ALLOCATOR "")
  message(STATUS "mimalloc is not installed: the C library's malloc is used, "
    "with which an analysis takes about a tenth longer")
endif()

# It is linked in front of the C library, and kept although nothing calls it by name.
function(memref_lens_allocator target)
  if(MEMREF_LENS_ALLOCATOR)
    target_link_options(${target} PRIVATE LINKER:--no-as-needed
      "$<TARGET_FILE:${MEMREF_LENS_ALLOCATOR}>" LINKER:--as-needed)
  endif()
endfunction()
