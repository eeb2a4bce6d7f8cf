//===- core/trace/RunArguments.cpp ----------------------------------------===//

#include "core/trace/RunArguments.h"
#include "core/text/Shell.h"
#include "core/trace/Assumed.h"
#include "core/trace/Names.h"
#include "core/trace/Sizes.h"

#include <charconv>
#include <optional>

namespace memreflens::trace {

using Given = std::optional<std::string>;
using Values = std::vector<std::string>;

namespace {
struct Argument {
  std::string_view flag;
  /// What is typed for these options, once for each element.
  Values (*written)(const RunOptions &run);
  bool (*take)(const Given &value, RunOptions &run);
};
} // namespace

static Values valueIf(bool isGiven, std::string value = {}) {
  return isGiven ? Values{std::move(value)} : Values{};
}

template <auto field> static constexpr Argument flag(const char *name) {
  return {name, [](const RunOptions &run) { return valueIf(run.*field); },
          [](const Given &value, RunOptions &run) {
            run.*field |= !value;
            return !value;
          }};
}

template <auto field> static constexpr Argument text(const char *name) {
  return {name,
          [](const RunOptions &run) {
            return valueIf(!(run.*field).empty(), run.*field);
          },
          [](const Given &value, RunOptions &run) {
            run.*field = value.value_or("");
            return value.has_value();
          }};
}

template <auto field> static constexpr Argument list(const char *name) {
  return {name, [](const RunOptions &run) { return run.*field; },
          [](const Given &value, RunOptions &run) {
            (run.*field).push_back(value.value_or(""));
            return !(run.*field).back().empty();
          }};
}

/// The passes, where no name says which they are.
static Values pipelineIn(const RunOptions &run) {
  if (!run.pipeline.empty() || run.passes.empty())
    return valueIf(!run.pipeline.empty(), run.pipeline);
  std::string passes;
  for (const std::string &pass : run.passes)
    passes += (passes.empty() ? "" : ",") + pass;
  return {"builtin.module(" + passes + ")"};
}

static bool takeUnregistered(const Given &value, RunOptions &run) {
  auto taken = enumeratorNamed<UnregisteredOps>(value.value_or(""));
  run.unregistered = taken.value_or(run.unregistered);
  run.allowUnregisteredDialect |= run.unregistered != UnregisteredOps::reject;
  return taken.has_value();
}

static bool takeLimit(const Given &value, RunOptions &run) {
  std::string text = value.value_or("");
  const char *end = text.data() + text.size();
  auto [stop, failure] =
      std::from_chars(text.data(), end, run.skipSimplificationOver);
  return failure == std::errc() && stop == end &&
         run.skipSimplificationOver >= 1;
}

static constexpr char distinctObjects[] = "distinct-objects";

/// What is stated of external functions, and where their names are kept.
static constexpr std::pair<std::string_view,
                           std::vector<std::string> RunOptions::*>
    statements[] = {{"fresh-results=", &RunOptions::freshResults},
                    {"no-capture=", &RunOptions::noCapture}};

/// As a statement, so that a file of statements can have it: "space[2]=L1".
static std::optional<std::string> spaceStatement(std::string_view text) {
  constexpr std::string_view head = "space[";
  const size_t end = text.rfind("]=");
  if (!text.starts_with(head) || end == text.npos || end < head.size())
    return std::nullopt;
  std::string space(text.substr(head.size(), end - head.size()));
  space += text.substr(end + 1);
  return spaceIn(space) ? std::optional(std::move(space)) : std::nullopt;
}

static bool takeAssumption(const Given &value, RunOptions &run) {
  std::string_view text = value ? std::string_view(*value) : "";
  if (sizeIn(text)) {
    run.sizes.emplace_back(text);
    return true;
  }
  if (std::optional<std::string> space = spaceStatement(text)) {
    run.spaces.push_back(std::move(*space));
    return true;
  }
  if (statementIn(text)) {
    run.contracts.emplace_back(text);
    return true;
  }
  for (const auto &[word, names] : statements)
    if (text.starts_with(word) && text.size() > word.size()) {
      (run.*names).emplace_back(text.substr(word.size()));
      return true;
    }
  return false;
}

static constexpr Argument arguments[] = {
    text<&RunOptions::function>("--function"),
    flag<&RunOptions::privateFunctionDynamicOwnership>(
        "--private-function-dynamic-ownership"),
    {"--bufferize",
     [](const RunOptions &run) {
       return valueIf(run.bufferize, run.bufferizeOptions);
     },
     [](const Given &value, RunOptions &run) {
       run.bufferizeOptions = value.value_or("");
       return run.bufferize = true;
     }},
    text<&RunOptions::prePipeline>("--pre"),
    {"--pipeline", pipelineIn, text<&RunOptions::pipeline>("").take},
    {"--refine",
     [](const RunOptions &run) {
       return valueIf(run.refineDistinctObjects, distinctObjects);
     },
     [](const Given &value, RunOptions &run) {
       run.refineDistinctObjects |= value == distinctObjects;
       return value == distinctObjects;
     }},
    {"--assume",
     [](const RunOptions &run) {
       Values all;
       for (const auto &[word, names] : statements)
         for (const std::string &pattern : run.*names)
           all.push_back(std::string(word) + pattern);
       all.insert(all.end(), run.contracts.begin(), run.contracts.end());
       all.insert(all.end(), run.sizes.begin(), run.sizes.end());
       return all;
     },
     takeAssumption},
    {"--space", [](const RunOptions &run) { return run.spaces; },
     [](const Given &value, RunOptions &run) {
       run.spaces.push_back(value.value_or(""));
       return spaceIn(run.spaces.back()).has_value();
     }},
    flag<&RunOptions::aliases>("--aliases"),
    flag<&RunOptions::allowUnregisteredDialect>("--allow-unregistered-dialect"),
    {"--unregistered",
     [](const RunOptions &run) {
       return valueIf(run.unregistered != UnregisteredOps::reject,
                      std::string(nameOf(run.unregistered)));
     },
     takeUnregistered},
    {"--skip-simplification-over",
     [](const RunOptions &run) {
       return valueIf(run.skipSimplificationOver != 0,
                      std::to_string(run.skipSimplificationOver));
     },
     takeLimit},
    list<&RunOptions::dialectPlugins>("--load-dialect-plugin"),
    list<&RunOptions::passPlugins>("--load-pass-plugin"),
};

std::vector<RunArgument> runArguments(const RunOptions &run) {
  std::vector<RunArgument> all;
  for (const Argument &argument : arguments)
    for (std::string &value : argument.written(run))
      all.push_back({std::string(argument.flag), std::move(value)});
  return all;
}

std::vector<std::string> argumentsOf(const RunOptions &run) {
  std::vector<std::string> all;
  for (const auto &[flag, value] : runArguments(run))
    all.push_back(value.empty() ? flag : flag + "=" + value);
  return all;
}

std::string shellArguments(const RunOptions &run, std::string_view file) {
  std::string text;
  for (const auto &[flag, value] : runArguments(run))
    text += flag + (value.empty() ? "" : "=" + shellWord(value)) + " ";
  return text + shellWord(file);
}

bool takeArgument(std::string_view argument, RunOptions &run) {
  size_t equal = argument.find('=');
  Given value;
  if (equal != argument.npos)
    value = argument.substr(equal + 1);
  for (const Argument &known : arguments)
    if (known.flag == argument.substr(0, equal)) {
      RunOptions changed = run;
      if (!known.take(value, changed))
        return false;
      run = std::move(changed);
      return true;
    }
  return false;
}

RunOptions withoutFolders(RunOptions run) {
  for (Values *libraries : {&run.dialectPlugins, &run.passPlugins})
    for (std::string &library : *libraries)
      library.erase(0, library.rfind('/') + 1);
  return run;
}

} // namespace memreflens::trace
