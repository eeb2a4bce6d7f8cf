# Finds libarchive and zlib, for this build and for who uses the installed package.
# Sets MEMREF_LENS_ARCHIVE_PROBLEM to a message where one is missing.
# -DLibArchive_ROOT=<prefix> and -DZLIB_ROOT=<prefix> name those elsewhere.

set(MEMREF_LENS_ARCHIVE_PROBLEM "")
find_package(LibArchive QUIET)
find_package(ZLIB QUIET)
if(NOT LibArchive_FOUND OR NOT ZLIB_FOUND)
  set(MEMREF_LENS_ARCHIVE_PROBLEM
    "libarchive or zlib was not found. On Debian and Ubuntu install \
libarchive-dev and zlib1g-dev (scripts/setup does that); for one elsewhere pass \
-DLibArchive_ROOT=<prefix> or -DZLIB_ROOT=<prefix>.")
endif()

# memref_lens_fill_archive(TARGET): gives an interface target their folders
# and libraries; libarchive not to a program that has it inside
# (MemrefLensStatic.cmake).
function(memref_lens_fill_archive target)
  set_property(TARGET ${target} PROPERTY INTERFACE_INCLUDE_DIRECTORIES
    "${LibArchive_INCLUDE_DIRS};${ZLIB_INCLUDE_DIRS}")
  set_property(TARGET ${target} PROPERTY INTERFACE_SYSTEM_INCLUDE_DIRECTORIES
    "${LibArchive_INCLUDE_DIRS};${ZLIB_INCLUDE_DIRS}")
  set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES
    "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:MEMREF_LENS_ARCHIVE_INSIDE>>>:${LibArchive_LIBRARIES}>"
    ${ZLIB_LIBRARIES})
endfunction()
