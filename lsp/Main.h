//===- lsp/Main.h - the language server as a function ---------------------===//
//
// A tool with dialects of its own gets the whole server for them:
//
//   int main(int argc, char **argv) {
//     mlir::DialectRegistry registry;
//     registry.insert<my::Dialect>();
//     return memreflens::memrefLensLspServerMain(argc, argv, registry);
//   }
//
// The server starts the same executable again, with `--role=...` in front of
// its other arguments; `main` must come here with them unchanged.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_MAIN_H
#define MEMREFLENS_LSP_MAIN_H

#include <functional>
#include <string>

namespace mlir {
class DialectRegistry;
}

namespace memreflens {

/// The dialects of a document, by its URI.
using DialectRegistryOfUri =
    std::function<mlir::DialectRegistry &(const std::string &uri)>;

/// Serves on standard input and output until the client ends it. Returns the
/// exit status. Call it before the process starts threads.
int memrefLensLspServerMain(int argc, char **argv,
                            mlir::DialectRegistry &registry);
int memrefLensLspServerMain(int argc, char **argv,
                            const DialectRegistryOfUri &registryOf);

} // namespace memreflens

#endif // MEMREFLENS_LSP_MAIN_H
