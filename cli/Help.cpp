//===- cli/Help.cpp - usage, one screen a command -------------------------===//

#include "cli/Command.h"
#include "core/explain/Words.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace memreflens {

static constexpr size_t textColumn = 30, lastColumn = 80;

static constexpr char beforeCommands[] =
    R"(memref-lens shows who owns every buffer in an MLIR program, and why.

usage: memref-lens FILE           what it costs, why, and what to do
       memref-lens COMMAND [options] FILE

commands:
)";

static constexpr char afterCommands[] = R"(
  --version                   version of this program and of LLVM
  --help                      this text

exit status: 0 done, 1 differences or findings, 2 wrong usage,
             3 input that could not be read or parsed, output that could not
             be written, 70 internal error, 71 no memory or no process left
)";

/// Adds the words of a line from `column` on, in as many lines as they need.
static void addFilled(const std::string &line, std::string &text,
                      size_t column) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(line).split(words, ' ', -1, /*KeepEmpty=*/false);
  size_t at = column;
  for (llvm::StringRef word : words) {
    const bool isFirst = at == column;
    if (!isFirst && at + 1 + word.size() > lastColumn) {
      text += "\n" + std::string(column, ' ');
      at = column;
    } else if (!isFirst) {
      text += ' ';
      ++at;
    }
    text += word;
    at += word.size();
  }
  text += "\n";
}

/// "  --all                       every row": the head, and what it means.
static std::string entryOf(const std::string &head, llvm::StringRef meaning) {
  std::string text = "  " + head;
  if (text.size() + 2 > textColumn)
    text += "\n" + std::string(textColumn, ' ');
  text.resize(text.size() < textColumn ? textColumn : text.size(), ' ');
  llvm::SmallVector<llvm::StringRef> lines;
  meaning.split(lines, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    text += i ? std::string(textColumn, ' ') : "";
    if (lines[i].starts_with(" "))
      text += lines[i].str() + "\n";
    else
      addFilled(lines[i].str(), text, textColumn);
  }
  return text;
}

/// "explain, memory and diff".
static std::string namesOfOpeners() {
  std::vector<std::string> names;
  for (const Command *command : allCommands())
    if (command->opensSaved)
      names.push_back(command->name);
  return listed(names);
}

static std::string overview() {
  std::string text = beforeCommands;
  for (const Command *command : allCommands())
    if (!command->isHidden)
      text += entryOf(command->name + " " + command->takes, command->summary);
  text +=
      "\n'memref-lens COMMAND --help' lists a command's options. FILE may be "
      "'-';\n";
  addFilled(namesOfOpeners() + " take a saved trace (.json) or a bundle too.",
            text, 0);
  return text + afterCommands;
}

std::string helpText(const std::string &name) {
  const Command *command = findCommand(name);
  if (!command || command->isHidden)
    return overview();
  std::string text = command->about + "\noptions:\n";
  forEachOption(*command, [&](const Option &option, bool) {
    if (!option.isHidden)
      text += entryOf(option.names + option.value.form,
                      option.help.empty() ? option.brief : option.help);
  });
  return text;
}

} // namespace memreflens
