# Shared by scripts/run and scripts/test: set-up, configure, build. Sourced.
# shellcheck shell=sh

root=$(cd "$(dirname "$0")/.." && pwd)
buildDir=${MEMREF_LENS_BUILD_DIR:-$root/build}

say() { printf '== %s\n' "$*" >&2; }

# configure [ARGS for cmake]: Release with Ninja, ccache where there is one.
configure() {
  set -- "$@" -S "$root" -B "$buildDir" -G Ninja -DCMAKE_BUILD_TYPE=Release
  if command -v ccache >/dev/null 2>&1; then
    set -- "$@" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
  fi
  if [ -n "${MLIR_DIR:-}" ]; then
    set -- "$@" "-DMLIR_DIR=$MLIR_DIR"
  fi
  say "configuring $buildDir"
  cmake "$@" >&2
}

# build [ARGS for cmake --build]
build() {
  say "building"
  cmake --build "$buildDir" "$@" >&2
}
