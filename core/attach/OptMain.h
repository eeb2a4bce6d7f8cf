//===- core/attach/OptMain.h - an mlir-opt that writes traces -------------===//
//
// The `opt` of a project, with `--memref-lens-trace=DIR` among its options:
//
//   int main(int argc, char **argv) {
//     mlir::DialectRegistry registry;
//     registry.insert<my::Dialect>();
//     return memreflens::optMain(argc, argv, "my opt", registry);
//   }
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_ATTACH_OPTMAIN_H
#define MEMREFLENS_ATTACH_OPTMAIN_H

namespace mlir {
class DialectRegistry;
}

namespace memreflens {

/// As MlirOptMain of MLIR, exit status included; passes must be registered.
/// Traces are written for the pipeline of the command line, once for each
/// program of a split input.
int optMain(int argc, char **argv, const char *toolName,
            mlir::DialectRegistry &registry);

} // namespace memreflens

#endif // MEMREFLENS_ATTACH_OPTMAIN_H
