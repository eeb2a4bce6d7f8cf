//===- cli/Main.h - the command line as a function ------------------------===//
//
// A tool with dialects of its own gets the whole `memref-lens` command line for
// them:
//
//   int main(int argc, char **argv) {
//     mlir::DialectRegistry registry;
//     registry.insert<my::Dialect>();
//     return memreflens::memrefLensMain(argc, argv, registry);
//   }
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CLI_MAIN_H
#define MEMREFLENS_CLI_MAIN_H

namespace mlir {
class DialectRegistry;
}

namespace memreflens {

/// Runs the command that the arguments name. Returns the exit status: 0 done, 1
/// differences or findings, 2 wrong usage, 3 input that could not be read or
/// parsed, 70 an internal error, 71 want of memory. Call it before the process
/// starts threads.
int memrefLensMain(int argc, char **argv, mlir::DialectRegistry &registry);

} // namespace memreflens

#endif // MEMREFLENS_CLI_MAIN_H
