//===- viewer/window/Options.cpp - what the user typed --------------------===//

#include "viewer/window/Options.h"

#include "viewer/window/Panels.h"

#include "core/trace/Plan.h"
#include "core/trace/RunArguments.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>

namespace memreflens::viewer {

const char *usage() {
  return R"(usage: memref-lens-viewer [options] [FILE...]

Shows who owns every buffer of an MLIR program, and why, step by step. FILE is
MLIR, bytecode, a trace (.json) that `memref-lens trace` saved, or a bundle
(.tar.gz) of `memref-lens bundle`.

  --function NAME      go to this function
  --line N             go to what stands on this line
  --stage N            go to this stage; 0 is the input, tensor-copies is between
                       the steps of one-shot-bufferize
  --event N            go to this decision, by its number
  --value %NAME        select this value of the function
  --panel NAME         panel below the graph: overview, ownership, lowering,
                       lifetimes, memory, tensors, run, bookmarks, what-if,
                       problems, findings or aliases
  --stage-graph        draw the stage's IR in place of the decisions
  --run                run the function, and show what was counted

  --private-function-dynamic-ownership, --bufferize[=OPTIONS],
  --pre=PIPELINE, --pipeline=PIPELINE,
  --refine=distinct-objects, --allow-unregistered-dialect,
  --unregistered=WHAT,
  --load-dialect-plugin=LIB, --load-pass-plugin=LIB
                       as those of `memref-lens trace`

  --theme THEME        light or dark
  --size WxH           of the window
  --scale N            pixels per point, 0.5 to 4
  --screenshot OUT.png draw one picture and end
  --measure FRAMES     draw so many frames, print how long they took, and end
  --help, --version

exit status: 0 done, 1 no display, no OpenGL 3 or (with --screenshot) nothing
             to show, 2 wrong usage
)";
}

namespace {
class Reader {
public:
  Reader(int count, char **words) : words(words + 1, words + count) {}

  Options read() {
    for (; next < words.size() && options.problem.empty();) {
      std::string word = words[next++];
      // After `--` all words are files.
      if (word == "--")
        onlyFiles = true;
      else if (onlyFiles || !word.starts_with("-"))
        options.files.push_back(word);
      else if (!isFlag(word) && !isRunOption(word))
        readValue(word);
    }
    return std::move(options);
  }

private:
  bool isFlag(const std::string &word) {
    bool *flag = word == "--help"          ? &options.wantsHelp
                 : word == "--version"     ? &options.wantsVersion
                 : word == "--stage-graph" ? &options.start.showsStageGraph
                 : word == "--run"         ? &options.start.runs
                                           : nullptr;
    if (flag)
      *flag = true;
    return flag;
  }

  /// As `memref-lens trace` takes it. Which function is another question here,
  /// and the others have no place in the window.
  bool isRunOption(std::string_view word) {
    std::string_view name = word.substr(0, word.find('='));
    return name != "--function" && name != "--aliases" &&
           name != "--skip-simplification-over" &&
           trace::takeArgument(word, options.run);
  }

  /// "--name value" or "--name=value".
  void readValue(const std::string &word) {
    size_t equal = word.find('=');
    std::string name = word.substr(0, equal);
    std::string value;
    if (equal != word.npos)
      value = word.substr(equal + 1);
    else if (next < words.size())
      value = words[next++];
    else
      options.problem = "no value for, or no such option: " + word;
    if (options.problem.empty() && !set(name, value))
      options.problem = "no such option or value: " + name + " " + value;
  }

  static bool number(const std::string &text, int least, int most, int &out) {
    int value = 0;
    const char *end = text.data() + text.size();
    auto [stop, failure] = std::from_chars(text.data(), end, value);
    if (failure != std::errc() || stop != end || value < least || value > most)
      return false;
    out = value;
    return true;
  }

  bool set(const std::string &name, const std::string &value) {
    constexpr int many = 2000000000;
    if (name == "--function")
      options.start.function = value.starts_with("@") ? value.substr(1) : value;
    else if (name == "--value")
      options.start.value = value.starts_with("%") ? value.substr(1) : value;
    else if (name.starts_with("--load-"))
      return trace::takeArgument(name + "=" + value, options.run);
    else if (name == "--line")
      return number(value, 1, many, options.start.line);
    else if (name == "--stage" && value == trace::tensorCopies) {
      // It has no decisions to show.
      options.start.stage = trace::tensorCopiesStage;
      options.start.showsStageGraph = true;
    } else if (name == "--stage")
      return number(value, 0, 255, options.start.stage);
    else if (name == "--event")
      return number(value, 0, many, options.start.event);
    else if (name == "--measure")
      return number(value, 1, 100000, options.measure);
    else if (name == "--screenshot")
      options.screenshot = value;
    else if (name == "--panel")
      return setPanel(value);
    else if (name == "--theme")
      return setTheme(value);
    else if (name == "--scale")
      return std::sscanf(value.c_str(), "%f", &options.scale) == 1 &&
             options.scale >= 0.5f && options.scale <= 4;
    else if (name == "--size")
      return setSize(value);
    else
      return false;
    return true;
  }

  bool setPanel(const std::string &value) {
    const std::map<std::string, int> panels = {
        {"overview", overviewPanel},   {"ownership", ownershipPanel},
        {"lowering", loweringPanel},   {"lifetimes", lifetimesPanel},
        {"bookmarks", bookmarksPanel}, {"what-if", whatIfPanel},
        {"problems", problemsPanel},   {"tensors", tensorsPanel},
        {"findings", findingsPanel},   {"aliases", aliasesPanel},
        {"memory", memoryPanel},       {"run", runPanel}};
    auto panel = panels.find(value);
    if (panel != panels.end())
      options.start.panel = panel->second;
    return panel != panels.end();
  }

  bool setTheme(const std::string &value) {
    options.theme = value;
    return value == "light" || value == "dark";
  }

  bool setSize(const std::string &value) {
    size_t by = value.find('x');
    return by != value.npos &&
           number(value.substr(0, by), 100, 8192, options.width) &&
           number(value.substr(by + 1), 100, 8192, options.height);
  }

  std::vector<std::string> words;
  size_t next = 0;
  bool onlyFiles = false;
  Options options;
};
} // namespace

Options optionsOf(int count, char **words) {
  return Reader(count, words).read();
}

} // namespace memreflens::viewer
