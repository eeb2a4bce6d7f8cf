//===- lsp/supervisor/Configuration.h - what user and client want ---------===//
//
// The command line's settings, what the client said of itself in `initialize`,
// and the configuration that it gave last, in one: what is in force now.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_LSP_SUPERVISOR_CONFIGURATION_H
#define MEMREFLENS_LSP_SUPERVISOR_CONFIGURATION_H

#include "lsp/documents/Text.h"
#include "lsp/supervisor/Settings.h"
#include "lsp/wire/Message.h"

#include <cstddef>
#include <nlohmann/json.hpp>

namespace memreflens::lsp {

class Configuration {
public:
  /// Keeps a reference: the settings must outlive it.
  explicit Configuration(const Settings &settings);
  /// Takes the parameters of the client's `initialize`.
  void initialize(const Json &params);
  /// Takes another value of `memrefLens` in the client's configuration.
  void change(const Json &given);

  const Settings &getSettings() const { return settings; }
  /// Parameters of the client's `initialize`; an object once there are any.
  const Json &getInitializeParams() const { return initializeParams; }
  /// The value of `memrefLens`; an empty object without one.
  const Json &getValues() const { return values; }
  Encoding getEncoding() const { return encoding; }
  /// The client shows no Markdown.
  bool isPlainText() const { return plainText; }
  /// Seconds that a child may take for one thing.
  double getTimeLimit() const { return timeLimit; }
  /// Bytes that a child may keep resident.
  size_t getMemoryLimit() const { return memoryLimit; }

  /// What the client said that it can, of its workspace.
  const Json &clientWorkspace() const;
  /// The client asks for an action's edit when it is chosen.
  bool resolvesActions() const;
  /// The passes may need code generators of any machine.
  bool needsCodeGenerators() const;
  /// Upstream's and ours, for the answer to `initialize`.
  Json capabilities() const;

private:
  void readLimits();
  Json ownCapabilities() const;

  const Settings &settings;
  double timeLimit;
  size_t memoryLimit;
  Encoding encoding = Encoding::utf16;
  bool plainText = false;
  Json initializeParams;
  Json values = Json::object();
};

} // namespace memreflens::lsp

#endif // MEMREFLENS_LSP_SUPERVISOR_CONFIGURATION_H
