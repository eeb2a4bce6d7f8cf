# What `cmake --install` puts where, in two components: `programs` (with what a
# shell, a desktop and `man` need of them; the default of all folders) and
# `development`, the libraries with their headers and a CMake package for
# find_package(MemrefLens). Included after core, cli, lsp and viewer. The target
# `installable` builds what is installed and no more.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/MemrefLens")

set(exported memref_lens_mlir memref_lens_graphviz memref_lens_archive
  memref_lens_mlir_lsp)
foreach(library UpstreamFacts Files Text Trace Query Faults Chunks Source Dialect Stages Passes Process Pipeline
    PassNames Upstream Bufferize Classic Placement Aliasing Costs Lifetimes
    Explain Graph Memory Execute ExecuteJit Diff Bundle
    Report Check Causes Symexec Trials Reduce
    Attach Opt
    Cli
    LspWire LspUnits LspSupervisor LspAnalysis Lsp)
  if(TARGET MemrefLens${library})
    list(APPEND exported MemrefLens${library})
  endif()
endforeach()
install(TARGETS ${exported} EXPORT MemrefLensTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
# libMLIR.so does not lie in the linker's own folders on Debian.
set_target_properties(MemrefLensPassPlugin PROPERTIES
  INSTALL_RPATH_USE_LINK_PATH ON)
# Two folders below the linker's own, where CPack takes it for no library that
# ldconfig should find.
install(TARGETS MemrefLensPassPlugin
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/memref-lens/plugins"
  COMPONENT programs)
install(EXPORT MemrefLensTargets NAMESPACE MemrefLens::
  DESTINATION "${package_dir}" COMPONENT development)

add_custom_target(installable)
foreach(target ${exported} memref-lens memref-lens-viewer
    MemrefLensPassPlugin)
  if(TARGET ${target})
    add_dependencies(installable ${target})
  endif()
endforeach()

configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/MemrefLensConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/MemrefLensConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/MemrefLensConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/MemrefLensConfig.cmake"
  "${PROJECT_BINARY_DIR}/MemrefLensConfigVersion.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindMlir.cmake"
  "${PROJECT_SOURCE_DIR}/core/upstream/Upstream.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindGraphvizLibrary.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindArchiveLibrary.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/FindMlirLspServer.cmake"
  DESTINATION "${package_dir}" COMPONENT development)

# Headers keep their paths, so that "core/trace/Model.h" means the same inside
# and outside. The extra folder keeps `core` out of the system's include folder.
set(header_dir "${CMAKE_INSTALL_INCLUDEDIR}/memref-lens")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/core" "${PROJECT_SOURCE_DIR}/cli"
  "${PROJECT_SOURCE_DIR}/lsp" "${PROJECT_SOURCE_DIR}/passes"
  DESTINATION "${header_dir}" COMPONENT development
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN doc EXCLUDE
  PATTERN completion EXCLUDE PATTERN assets EXCLUDE)
install(DIRECTORY "${PROJECT_BINARY_DIR}/include/core/dialect"
  DESTINATION "${header_dir}/core" COMPONENT development
  FILES_MATCHING PATTERN "*.h.inc")
install(FILES "${PROJECT_BINARY_DIR}/include/core/Version.h"
  DESTINATION "${header_dir}/core" COMPONENT development)
install(FILES "${PROJECT_BINARY_DIR}/include/core/upstream/Release.h"
  DESTINATION "${header_dir}/core/upstream" COMPONENT development)

if(EXISTS "${PROJECT_SOURCE_DIR}/cli/doc/memref-lens.1")
  install(FILES "${PROJECT_SOURCE_DIR}/cli/doc/memref-lens.1"
    "${PROJECT_SOURCE_DIR}/lsp/doc/memref-lens-lsp-server.1"
    DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  set(completion_dir "${PROJECT_SOURCE_DIR}/cli/completion")
  install(FILES "${completion_dir}/memref-lens.bash" RENAME memref-lens
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${completion_dir}/_memref-lens"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  install(FILES "${completion_dir}/memref-lens.fish"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/docs/trace.schema.json")
  install(FILES "${PROJECT_SOURCE_DIR}/docs/trace.schema.json"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/memref-lens")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/docs/run.schema.json"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/memref-lens")
# README.md, each page that one comes to from it, and the pictures and programs that
# these name, in the folders that they have here: no link leads out of what is
# installed (tests/package/doc_links.py).
set(doc_dir "${CMAKE_INSTALL_DATADIR}/doc/memref-lens")
foreach(page LICENSE README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md
    SECURITY.md)
  install(FILES "${PROJECT_SOURCE_DIR}/${page}" DESTINATION "${doc_dir}")
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${doc_dir}"
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.json")
foreach(part lsp viewer vscode-extension)
  install(FILES "${PROJECT_SOURCE_DIR}/${part}/README.md"
    DESTINATION "${doc_dir}/${part}")
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/viewer/pictures"
  DESTINATION "${doc_dir}/viewer")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/vscode-extension/images"
  DESTINATION "${doc_dir}/vscode-extension")
foreach(group . tutorial ownership tensors spaces)
  file(GLOB programs "${PROJECT_SOURCE_DIR}/samples/${group}/*.mlir")
  install(FILES ${programs} DESTINATION "${doc_dir}/samples/${group}")
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/samples/pictures"
  DESTINATION "${doc_dir}/samples" FILES_MATCHING
  PATTERN "diamond.light.svg" PATTERN "diamond.lowered.light.svg"
  PATTERN "run.*.light.svg" PATTERN "tensors.*.light.svg"
  PATTERN "ownership.*.light.svg" PATTERN "tutorial.*.light.svg")
