//===- viewer/work/Editor.cpp - opens the user's editor -------------------===//

#include "viewer/work/Editor.h"

#include "core/process/Child.h"

#include "core/explain/DecisionText.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace memreflens::viewer {

static trace::Range rangeOfSelection(const Program &program,
                                     const ViewState &state) {
  const Lookup &lookup = program.lookup;
  trace::Range range = lookup.rangeOfValue(state.place.value);
  if (const auto *event = lookup.event(state.place.event);
      event && range.empty())
    range = rangeOfEvent(lookup, *event);
  if (const auto *function = lookup.function(state.place.function);
      function && range.empty())
    range = function->nameRange;
  return range;
}

TextPosition positionOf(const Program &program, const ViewState &state) {
  const LineIndex &lines = program.lookup.getLines();
  const LineColumn at =
      lines.lineColumn(rangeOfSelection(program, state).begin);
  const std::string_view before = lines.line(at.line).substr(0, at.column - 1);
  return {at.line, utf16Length(before) + 1};
}

std::vector<std::string> editorCommand(const std::string &editor,
                                       const std::string &file,
                                       TextPosition position) {
  std::istringstream split(editor.empty() ? "code" : editor);
  std::vector<std::string> words;
  for (std::string word; split >> word;)
    words.push_back(word);
  if (words.empty())
    words = {"code"};
  std::string name = std::filesystem::path(words.front()).filename().string();
  std::string line = std::to_string(position.line);
  std::string column = std::to_string(position.column);
  auto isOne = [&](std::initializer_list<const char *> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (isOne({"code", "code-insiders", "codium", "vscodium", "cursor"}))
    words.insert(words.end(), {"--goto", file + ":" + line + ":" + column});
  else if (isOne({"subl", "zed", "hx"}))
    words.push_back(file + ":" + line + ":" + column);
  else if (isOne({"emacs", "emacsclient", "nano", "micro"}))
    words.insert(words.end(),
                 {"+" + line + (name == "nano" ? "," : ":") + column, file});
  else
    words.insert(words.end(), {"+" + line, file});
  return words;
}

std::string openInEditor(const Program &program, const ViewState &state,
                         const std::string &file) {
  const char *visual = std::getenv("VISUAL");
  std::error_code error;
  std::string path = std::filesystem::absolute(file, error).string();
  std::vector<std::string> words =
      editorCommand(visual ? visual : "", path, positionOf(program, state));
  if (startDetached(words))
    return "opened " + words.back() + " with " + words.front();
  return "cannot run " + words.front() +
         "; set $VISUAL to an editor that opens a window";
}

} // namespace memreflens::viewer
