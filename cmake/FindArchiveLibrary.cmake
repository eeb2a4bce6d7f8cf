# Finds libarchive, for this build and for who uses the installed package. Sets
# MEMREF_LENS_ARCHIVE_PROBLEM to a message where there is none.
# -DLibArchive_ROOT=<prefix> names one elsewhere.

set(MEMREF_LENS_ARCHIVE_PROBLEM "")
find_package(LibArchive QUIET)
if(NOT LibArchive_FOUND)
  set(MEMREF_LENS_ARCHIVE_PROBLEM
    "libarchive was not found. On Debian and Ubuntu install libarchive-dev \
(scripts/setup does that); for one elsewhere pass -DLibArchive_ROOT=<prefix>.")
endif()

# memref_lens_fill_archive(TARGET): gives an interface target libarchive's folder
# and library.
function(memref_lens_fill_archive target)
  set_property(TARGET ${target} PROPERTY INTERFACE_INCLUDE_DIRECTORIES
    "${LibArchive_INCLUDE_DIRS}")
  set_property(TARGET ${target} PROPERTY INTERFACE_SYSTEM_INCLUDE_DIRECTORIES
    "${LibArchive_INCLUDE_DIRS}")
  set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES
    ${LibArchive_LIBRARIES})
endfunction()
