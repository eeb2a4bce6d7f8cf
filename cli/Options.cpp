//===- cli/Options.cpp ----------------------------------------------------===//

#include "cli/Options.h"
#include "cli/Command.h"
#include "cli/Settling.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>

namespace memreflens {

namespace {
/// One pass over the arguments.
class Parser {
public:
  Parser(int argc, char **argv) : argc(argc), argv(argv) {}
  ParsedOptions run();

private:
  struct Found {
    const Option *option = nullptr;
    bool isShared = false;
  };

  bool takeCommand();
  void takeWord(llvm::StringRef word);
  void takeOption(llvm::StringRef word);
  void setOption(const Found &found, OptionUse use,
                 std::optional<std::string> value);
  Found find(llvm::StringRef name) const;
  void fail(const llvm::Twine &message) { parsed.error = message.str(); }

  int argc;
  char **argv;
  int next = 1;
  bool onlyFiles = false;
  ParsedOptions parsed;
  CliOptions &options = parsed.options;
};
} // namespace

/// Whether a file stands where a command may.
static bool isInput(llvm::StringRef word) {
  return word == "-" || word.ends_with(".mlir") || word.ends_with(".mlirbc") ||
         llvm::sys::fs::is_regular_file(word);
}

Parser::Found Parser::find(llvm::StringRef name) const {
  Found found;
  forEachOption(*options.command, [&](const Option &option, bool isShared) {
    if (!found.option && option.take && isCalled(option, name))
      found = {&option, isShared};
  });
  return found;
}

void Parser::setOption(const Found &found, OptionUse use,
                       std::optional<std::string> value) {
  const int first = next - 1;
  const std::string &form = found.option->value.form;
  const bool isNeeded = !form.empty() && !form.starts_with("[");
  if (isNeeded && !value && next == argc)
    return fail("'" + use.name + "' needs a value");
  if (isNeeded && !value)
    value = argv[next++];
  if (!form.empty())
    use.value = value.value_or("");
  parsed.error = found.option->take(use, options);
  if (found.isShared)
    options.sharedWords.insert(options.sharedWords.end(), argv + first,
                               argv + next);
}

void Parser::takeOption(llvm::StringRef word) {
  auto [name, text] = word.split('=');
  std::optional<std::string> value;
  if (word.contains('='))
    value = text.str();
  if (name == "--help" || name == "-h") {
    options.helpTopic = options.typedAs;
    return;
  }
  if (Found found = find(name); found.option)
    return setOption(found, {*found.option, name.str(), {}}, value);
  if (!value && !word.starts_with("--") && word.size() > 2)
    if (Found found = find(word.take_front(2));
        found.option && found.option->mayStick)
      return setOption(found, {*found.option, word.take_front(2).str(), {}},
                       word.drop_front(2).str());
  fail("unknown option '" + name + "'; see 'memref-lens " + options.typedAs +
       " --help'");
}

void Parser::takeWord(llvm::StringRef word) {
  if (word == "--" && !onlyFiles)
    onlyFiles = true;
  else if (!onlyFiles && word.size() > 1 && word.starts_with("-"))
    takeOption(word);
  else
    options.files.push_back(word.str());
}

/// `memref-lens FILE`.
static void becomeOverview(CliOptions &options) {
  options.command = findCommand("check");
  options.check.format = "overview";
  options.check.failOn = "none";
  options.check.stepsAnOp = overviewStepsAnOp;
  options.check.mostCopies = overviewCopies;
}

/// Reads the first word; false where nothing follows it.
bool Parser::takeCommand() {
  if (argc < 2) {
    fail("no command");
    return false;
  }
  options.typedAs = argv[next++];
  llvm::StringRef word = options.typedAs;
  if (word == "help" || word == "--help" || word == "-h") {
    options.helpTopic = next < argc ? argv[next] : "";
    return false;
  }
  options.command = findCommand(word);
  // Options may stand in front of the file.
  if (!options.command &&
      (isInput(word) || (word.starts_with("-") &&
                         std::any_of(argv + 2, argv + argc, isInput)))) {
    becomeOverview(options);
    --next;
  }
  if (!options.command)
    fail("unknown command, or no such file: '" + word +
         "'; see 'memref-lens --help'");
  return options.command;
}

ParsedOptions Parser::run() {
  if (!takeCommand())
    return parsed;
  while (next < argc && parsed.error.empty() && !options.helpTopic)
    takeWord(argv[next++]);
  if (options.helpTopic)
    return parsed;
  if (parsed.error.empty())
    parsed.error = settleStatements(options);
  if (parsed.error.empty())
    parsed.error = options.command->settle(options);
  return parsed;
}

ParsedOptions parseOptions(int argc, char **argv) {
  return Parser(argc, argv).run();
}

} // namespace memreflens
