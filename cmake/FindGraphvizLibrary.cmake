# Finds Graphviz's library, for this build and for who uses the installed
# package. Sets MEMREF_LENS_GRAPHVIZ_PROBLEM to a message where there is none.
# -DGRAPHVIZ_ROOT=<prefix> names one elsewhere.

set(MEMREF_LENS_GRAPHVIZ_PROBLEM "")
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(MEMREF_LENS_PC_GRAPHVIZ QUIET libgvc libcgraph libcdt)
endif()
find_path(MEMREF_LENS_GRAPHVIZ_INCLUDE graphviz/gvc.h
  HINTS "${GRAPHVIZ_ROOT}/include" ${MEMREF_LENS_PC_GRAPHVIZ_INCLUDEDIR})
set(MEMREF_LENS_GRAPHVIZ_LIBRARIES "")
foreach(part gvc cgraph cdt)
  find_library(MEMREF_LENS_GRAPHVIZ_${part} ${part}
    HINTS "${GRAPHVIZ_ROOT}/lib" ${MEMREF_LENS_PC_GRAPHVIZ_LIBRARY_DIRS})
  mark_as_advanced(MEMREF_LENS_GRAPHVIZ_${part})
  list(APPEND MEMREF_LENS_GRAPHVIZ_LIBRARIES "${MEMREF_LENS_GRAPHVIZ_${part}}")
endforeach()
mark_as_advanced(MEMREF_LENS_GRAPHVIZ_INCLUDE)

if(NOT MEMREF_LENS_GRAPHVIZ_INCLUDE OR
   "${MEMREF_LENS_GRAPHVIZ_LIBRARIES}" MATCHES "NOTFOUND")
  set(MEMREF_LENS_GRAPHVIZ_PROBLEM
    "Graphviz's library was not found (libgvc, libcgraph and libcdt with their \
headers). On Debian and Ubuntu install libgraphviz-dev (scripts/setup does \
that); for a Graphviz elsewhere pass -DGRAPHVIZ_ROOT=<prefix>.")
endif()

# memref_lens_fill_graphviz(TARGET): gives an interface target Graphviz's folder
# and libraries.
function(memref_lens_fill_graphviz target)
  set_property(TARGET ${target} PROPERTY INTERFACE_INCLUDE_DIRECTORIES
    "${MEMREF_LENS_GRAPHVIZ_INCLUDE}")
  set_property(TARGET ${target} PROPERTY INTERFACE_SYSTEM_INCLUDE_DIRECTORIES
    "${MEMREF_LENS_GRAPHVIZ_INCLUDE}")
  set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES
    ${MEMREF_LENS_GRAPHVIZ_LIBRARIES})
endfunction()
