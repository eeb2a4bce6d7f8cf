# The packages for Debian and Ubuntu, which scripts/package makes with CPack:
# memref-lens (the programs) and memref-lens-dev (the libraries). Dependencies of
# the programs are read from what they are linked to; those of the libraries are
# what find_package(MemrefLens) looks for.

# Programs and libraries are made for one minor version of MLIR.
math(EXPR next_minor "${LLVM_VERSION_MINOR} + 1")
set(mlir_versions "1:${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR}")
set(mlir_before "1:${LLVM_VERSION_MAJOR}.${next_minor}")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME memref-lens)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_VENDOR "memref-lens")
set(CPACK_PACKAGE_CONTACT
  "memref-lens maintainers <maintainers@memref-lens.example>")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL programs development)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/scripts/packaging/debian.cmake")
set(CPACK_MEMREF_LENS_SOURCES "${PROJECT_SOURCE_DIR}")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME memref-lens)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
# Found through a link that llvm-22-dev has, of which dpkg-shlibdeps knows nothing.
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_DEPENDS "libllvm22 (>= ${mlir_versions})")
# Pictures are measured and drawn with them.
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_RECOMMENDS fonts-dejavu-core)
set(CPACK_COMPONENT_PROGRAMS_DESCRIPTION
  "show who owns every buffer of an MLIR program, and why
memref-lens performs MLIR's ownership-based buffer deallocation pipeline and
records every decision: where each buffer is freed and under which condition,
why it is copied, why a run-time check is left, why a function is rejected.
.
This package has the command line, the language server for editors, and the
desktop viewer.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME memref-lens-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libmlir-22-dev (>= ${mlir_versions}), libmlir-22-dev (<< ${mlir_before}), \
llvm-22-dev, mlir-22-tools, nlohmann-json3-dev, libgraphviz-dev, libarchive-dev, \
zlib1g-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "buffer ownership of MLIR programs (libraries and headers)
memref-lens performs MLIR's ownership-based buffer deallocation pipeline and
records every decision.
.
This package has its static libraries and headers, and the CMake package
MemrefLens: for tools that write such traces from within, or that have the
command line or the language server with dialects of their own.")
include(CPack)
