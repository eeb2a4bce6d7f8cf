# What Debian's policy asks for in a package beside its files: manual pages
# packed, a changelog, the licences in one file, and why lintian is overruled.
# CPack runs it between installing and packing; the version is CPack's.
set(debian "${CPACK_MEMREF_LENS_SOURCES}/scripts/packaging/debian")

# finish(COMPONENT PACKAGE)
function(finish component package)
  set(share "${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/share")
  set(doc "${share}/doc/${package}")
  file(MAKE_DIRECTORY "${doc}")
  configure_file("${debian}/copyright" "${doc}/copyright" COPYONLY)
  # A licence stands in that file once; README.md links to it by this name.
  if(EXISTS "${doc}/LICENSE")
    file(CREATE_LINK copyright "${doc}/LICENSE" SYMBOLIC)
  endif()
  if(EXISTS "${debian}/${package}.lintian-overrides")
    file(MAKE_DIRECTORY "${share}/lintian/overrides")
    configure_file("${debian}/${package}.lintian-overrides"
      "${share}/lintian/overrides/${package}" COPYONLY)
  endif()
  # Debian's zsh looks for what packages bring in a folder of its own.
  if(EXISTS "${share}/zsh/site-functions")
    file(RENAME "${share}/zsh/site-functions" "${share}/zsh/vendor-completions")
  endif()
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  set(version "${CPACK_PACKAGE_VERSION}")
  set(contact "${CPACK_PACKAGE_CONTACT}")
  configure_file("${debian}/changelog.in" "${doc}/changelog" @ONLY)
  file(GLOB pages "${share}/man/man*/*")
  execute_process(COMMAND gzip -9 -n -f "${doc}/changelog" ${pages}
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

finish(programs memref-lens)
finish(development memref-lens-dev)
