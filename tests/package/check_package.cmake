# Installs, configures, builds and runs the consumer; any failure is fatal.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nfailed (${status}):\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
set(prefix "${WORK_DIR}/prefix")
run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")

# A prefix that was moved must work too: nothing may point into the build tree.
file(RENAME "${prefix}" "${WORK_DIR}/moved")
set(prefix "${WORK_DIR}/moved")
file(GLOB_RECURSE package "${prefix}/*.cmake")
foreach(file IN LISTS package)
  file(READ "${file}" text)
  string(FIND "${text}" "${BUILD_DIR}/" place)
  if(NOT place EQUAL -1)
    message(FATAL_ERROR "${file} names the build tree ${BUILD_DIR}")
  endif()
endforeach()

run("${PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/doc_links.py"
  "${prefix}/share/doc/memref-lens")

set(common -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}"
  "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" -DCMAKE_BUILD_TYPE=Release
  "-DCMAKE_PREFIX_PATH=${prefix}")
run("${CMAKE_COMMAND}" -S "${CONSUMER}" -B "${WORK_DIR}/build" ${common}
  "-DMLIR_DIR=${MLIR_DIR}")
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build")
run("${WORK_DIR}/build/consumer")

foreach(program consumer-static consumer-shared)
  if(EXISTS "${prefix}/include/memref-lens/passes/LensPasses.h")
    run("${WORK_DIR}/build/${program}")
  endif()
endforeach()

if(EXISTS "${prefix}/bin/memref-lens")
  run("${prefix}/bin/memref-lens" --version)
endif()

if(EXISTS "${WORK_DIR}/build/consumer-lens")
  # The consumer's dialect is known to its own tool, and to it alone.
  set(input "${CONSUMER}/own-dialect.mlir")
  run("${WORK_DIR}/build/consumer-lens" trace "${input}"
    -o "${WORK_DIR}/own-dialect.json")
  execute_process(COMMAND "${prefix}/bin/memref-lens" trace "${input}"
    -o "${WORK_DIR}/rejected.json" RESULT_VARIABLE status ERROR_QUIET)
  if(NOT status EQUAL 3)
    message(FATAL_ERROR "memref-lens knows the consumer's dialect (${status})")
  endif()
endif()

if(EXISTS "${WORK_DIR}/build/consumer-lsp-server")
  # `--check` runs every feature over the file.
  execute_process(COMMAND "${WORK_DIR}/build/consumer-lsp-server"
    --check "${CONSUMER}/own-dialect.mlir" RESULT_VARIABLE status
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0 OR NOT output MATCHES "of mine\\.value are unknown" OR
     output MATCHES "not found")
    message(FATAL_ERROR "the consumer's server failed (${status}):\n${output}")
  endif()
endif()

# An LLVM of another version is refused with a message that says so.
file(WRITE "${WORK_DIR}/old/MLIRConfig.cmake"
  "set(LLVM_VERSION_MAJOR 21)\nset(LLVM_PACKAGE_VERSION 21.1.0)\n")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${CONSUMER}"
  -B "${WORK_DIR}/old-build" ${common} "-DMLIR_DIR=${WORK_DIR}/old"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
string(REGEX REPLACE "[ \n]+" " " output "${output}")
if(status EQUAL 0 OR NOT output MATCHES "is of LLVM 21.1.0")
  message(FATAL_ERROR "LLVM 21 was not refused (${status}):\n${output}")
endif()
