//===- cli/Commands.cpp - the list of commands ----------------------------===//

#include "cli/Command.h"

namespace memreflens {

// One of each file of cli/commands/, in the order of the help.
#define MEMREF_LENS_COMMANDS(COMMAND)                                          \
  COMMAND(explain)                                                             \
  COMMAND(memory)                                                              \
  COMMAND(run)                                                                 \
  COMMAND(trace)                                                               \
  COMMAND(ir)                                                                  \
  COMMAND(export)                                                              \
  COMMAND(check)                                                               \
  COMMAND(compare)                                                             \
  COMMAND(scopes)                                                              \
  COMMAND(diff)                                                                \
  COMMAND(bundle)                                                              \
  COMMAND(version)                                                             \
  COMMAND(dump)

#define DECLARE_COMMAND(name) const Command &name##Command();
MEMREF_LENS_COMMANDS(DECLARE_COMMAND)

std::span<const Command *const> allCommands() {
#define LIST_COMMAND(name) &name##Command(),
  static const Command *const all[] = {MEMREF_LENS_COMMANDS(LIST_COMMAND)};
  return all;
}

const Command *findCommand(std::string_view name) {
  for (const Command *command : allCommands())
    if (command->name == name ||
        (!command->alias.empty() && command->alias == name))
      return command;
  return nullptr;
}

} // namespace memreflens
