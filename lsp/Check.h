//===- lsp/Check.h - every feature over one file, without an editor -------===//

#ifndef MEMREFLENS_LSP_CHECK_H
#define MEMREFLENS_LSP_CHECK_H

#include "lsp/supervisor/Settings.h"

namespace memreflens::lsp {

/// Opens the file in a server of its own, asks all there is to ask, and prints
/// how many answers came, the diagnostics, and each request that failed. 0 if
/// none did, 1 if one did, 3 for a file that cannot be read.
int checkFile(const Settings &settings, const std::string &path);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_CHECK_H
