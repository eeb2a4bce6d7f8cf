# Sourced by the findings about MLIR 22: unpacks its tools from Debian's packages into
# a temporary folder, which is then the current one, and which goes when the script
# ends. Needs apt with a source that has the packages.
#
#   $bin           the folder of mlir-opt and mlir-runner
#   opt PASSES     runs program.mlir through these passes of a module
#   result PASSES  what @main of program.mlir returns after them, an i32
#   is WHAT GOT WANTED, has FILE PATTERN, hasNot FILE PATTERN
#                  end the script where what was seen is no longer so

version=1:22.1.8-1~deb12u1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq "mlir-22-tools=$version" "libmlir-22=$version" "libllvm22=$version"
for package in *.deb; do
  dpkg-deb -x "$package" root
done
LD_LIBRARY_PATH=$(dirname "$(find "$folder/root" -name 'libMLIR.so.22*' | head -n 1)")
LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$folder/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH
bin=$folder/root/usr/lib/llvm-22/bin

opt() {
  "$bin/mlir-opt" --pass-pipeline="builtin.module($1)" program.mlir
}
result() {
  opt "$1" > made.mlir
  "$bin/mlir-opt" --pass-pipeline='builtin.module(convert-linalg-to-loops,convert-bufferization-to-memref,convert-scf-to-cf,expand-strided-metadata,convert-arith-to-llvm,convert-cf-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)' \
    made.mlir > lowered.mlir
  "$bin/mlir-runner" -e main --entry-point-result=i32 lowered.mlir
}
is() {
  [ "$2" = "$3" ] || {
    echo "changed: $1 gives $2, not $3"
    exit 1
  }
}
has() {
  grep -q "$2" "$1" || {
    echo "changed: no '$2' in $1"
    cat "$1"
    exit 1
  }
}
hasNot() {
  if grep -q "$2" "$1"; then
    echo "changed: '$2' in $1"
    cat "$1"
    exit 1
  fi
}
