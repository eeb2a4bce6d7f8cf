//===- lsp/supervisor/Diagnostics.h - one list from two children ----------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_DIAGNOSTICS_H
#define MEMREFLENS_LSP_SUPERVISOR_DIAGNOSTICS_H

#include "lsp/documents/Store.h"
#include "lsp/supervisor/Client.h"
#include "lsp/supervisor/Settings.h"

namespace memreflens::lsp {

/// Sends the client all that is known of the document's newest version, from
/// upstream's server and from our analysis, and notes that it did.
void publish(OpenDocument &document, const Settings &settings, Client &client);

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_DIAGNOSTICS_H
