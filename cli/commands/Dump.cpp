//===- cli/commands/Dump.cpp - `--dump-options`: the tables, as JSON ------===//
//
// For the scripts that make the man page and the completions
// (tests/cli-docs/check_docs.py).
//
//===----------------------------------------------------------------------===//

#include "cli/Command.h"
#include "cli/ExitStatus.h"
#include "cli/Input.h"
#include "cli/SharedOptions.h"

#include <nlohmann/json.hpp>

namespace memreflens {

using Json = nlohmann::ordered_json;

static Json asJson(const Option &option) {
  return {{"names", option.names},
          {"form", option.value.form},
          {"words", option.value.words},
          {"files", option.value.files},
          {"brief", option.brief},
          {"help", option.help.empty() ? option.brief : option.help},
          {"man", option.man},
          {"taken", bool(option.take)},
          {"repeated", option.mayBeRepeated}};
}

static Json asJson(const std::vector<Option> &options) {
  Json all = Json::array();
  for (const Option &option : options)
    if (!option.isHidden)
      all.push_back(asJson(option));
  return all;
}

static Json asJson(const Command &command) {
  Json groups = Json::array();
  for (const OptionGroup *group : command.groups)
    groups.push_back(group->name);
  return {{"name", command.name},
          {"brief", command.brief.empty() ? command.summary : command.brief},
          {"question", command.question},
          {"about", command.about},
          {"files", command.files},
          {"options", asJson(command.options)},
          {"groups", std::move(groups)}};
}

static int printTables(const CliOptions &, const mlir::DialectRegistry &) {
  Json commands = Json::array(), groups = Json::object();
  for (const Command *command : allCommands())
    if (!command->isHidden)
      commands.push_back(asJson(*command));
  for (const OptionGroup *group : allOptionGroups())
    groups[group->name] = asJson(group->options);
  const Json root = {{"commands", std::move(commands)},
                     {"groups", std::move(groups)}};
  return print(root.dump(1) + "\n") ? done : badInput;
}

static std::string takeNoFile(CliOptions &options) {
  return options.files.empty() ? "" : "'--dump-options' takes no file";
}

const Command &dumpCommand() {
  static const Command command{.name = "--dump-options",
                               .isHidden = true,
                               .settle = takeNoFile,
                               .run = printTables};
  return command;
}

} // namespace memreflens
