# Shared by scripts/run and scripts/test: configure, build, and how long each part
# took. Sourced.
# shellcheck shell=sh

root=$(cd "$(dirname "$0")/.." && pwd)
buildDir=${MEMREF_LENS_BUILD_DIR:-$root/build}

say() { printf '== %s\n' "$*" >&2; }

# configure [ARGS for cmake]: Release with Ninja and the tests, ccache where there
# is one.
configure() {
  set -- -DMEMREF_LENS_TESTS=ON "$@" \
    -S "$root" -B "$buildDir" -G Ninja -DCMAKE_BUILD_TYPE=Release
  if command -v ccache >/dev/null 2>&1; then
    set -- "$@" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
  fi
  if [ -n "${MLIR_DIR:-}" ]; then
    set -- "$@" "-DMLIR_DIR=$MLIR_DIR"
  fi
  say "configuring $buildDir"
  cmake "$@" >&2
}

# configurePrograms: without the tests, which need more than the programs. A folder
# that has them keeps them, so that scripts may take turns in it.
configurePrograms() {
  if [ -e "$buildDir/CTestTestfile.cmake" ]; then
    configure
  else
    configure -DMEMREF_LENS_TESTS=OFF
  fi
}

# build [ARGS for cmake --build]
build() {
  # Else ccache takes no file that loads precompiled headers; it holds them by
  # their contents, and none of ours has __TIME__ or the like. And it asks for the
  # compiler's list of headers, instead of preprocessing each file first.
  export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1
  say "building"
  cmake --build "$buildDir" "$@" >&2
}

partBegan=$(date +%s)
parts=

# partDone NAME: what came since the part before was NAME.
partDone() {
  now=$(date +%s)
  parts="${parts:+$parts, }$1 $((now - partBegan)) s"
  partBegan=$now
}

# sayParts: "set-up 42 s, build 290 s, run 3 s".
sayParts() { say "$parts"; }
