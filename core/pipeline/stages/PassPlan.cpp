//===- core/pipeline/stages/PassPlan.cpp ----------------------------------===//

#include "core/pipeline/stages/PassPlan.h"
#include "core/pipeline/placement/Pipelines.h"
#include "core/text/Nesting.h"
#include "core/trace/Fields.h"
#include "core/trace/Plan.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace memreflens {

/// Splits outside of all brackets. A pass without a name of its own is printed
/// as its C++ type, `unknown<Mine<int, float>>`.
static std::vector<llvm::StringRef> splitOutside(llvm::StringRef text,
                                                 char separator = ',') {
  std::vector<llvm::StringRef> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    bool isArrow = text[i] == '>' && i > 0 && text[i - 1] == '-';
    depth += llvm::StringRef("({[<").contains(text[i]);
    depth -= llvm::StringRef(")}]>").contains(text[i]) && !isArrow;
    if (depth != 0 || text[i] != separator)
      continue;
    parts.push_back(text.slice(begin, i).trim());
    begin = i + 1;
  }
  parts.push_back(text.drop_front(begin).trim());
  return parts;
}

/// "func.func" and "a,b" of "func.func(a,b)"; no anchor for a pass.
static std::pair<llvm::StringRef, llvm::StringRef>
splitAnchor(llvm::StringRef text) {
  size_t open = text.find_first_of("({");
  if (open == llvm::StringRef::npos || text[open] != '(' ||
      !text.ends_with(")"))
    return {{}, text};
  return {text.take_front(open), text.drop_front(open + 1).drop_back()};
}

llvm::StringRef passOptions(llvm::StringRef pass) {
  llvm::StringRef text = pass.split('{').second.rtrim();
  text.consume_back("}");
  return text;
}

bool hasOption(llvm::StringRef pass, llvm::StringRef name) {
  size_t at = pass.find(name);
  return at != llvm::StringRef::npos &&
         !pass.drop_front(at + name.size()).starts_with("=false") &&
         !pass.drop_front(at + name.size()).starts_with("=0");
}

unsigned numberOption(llvm::StringRef pass, llvm::StringRef name,
                      unsigned byDefault) {
  size_t at = pass.find((name + "=").str());
  unsigned number = 0;
  if (at == llvm::StringRef::npos ||
      pass.drop_front(at + name.size() + 1)
          .take_while([](char c) { return c >= '0' && c <= '9'; })
          .getAsInteger(10, number))
    return byDefault;
  return number;
}

/// Appends the passes of `text` one by one, each within its anchors.
static void flatten(llvm::StringRef text, const std::string &around,
                    const std::string &behind, trace::RunOptions &run) {
  for (llvm::StringRef part : splitOutside(text)) {
    auto [anchor, inside] = splitAnchor(part);
    if (!anchor.empty()) {
      bool isModule = anchor == "builtin.module" && around.empty();
      flatten(inside, isModule ? "" : around + anchor.str() + "(",
              isModule ? "" : ")" + behind, run);
      continue;
    }
    llvm::StringRef name = part.take_until([](char c) { return c == '{'; });
    constexpr llvm::StringLiteral dynamic =
        "private-function-dynamic-ownership";
    if (name == "buffer-deallocation-pipeline" ||
        std::string_view(name) == trace::ownershipPass)
      run.privateFunctionDynamicOwnership |= hasOption(part, dynamic);
    if (name == "buffer-deallocation-pipeline")
      for (const std::string &pass : trace::passesOf({}))
        run.passes.push_back(pass);
    else if (!part.empty())
      run.passes.push_back(around + part.str() + behind);
  }
}

/// What is stated of external functions, as our pass takes it.
static void stateForLastUse(trace::RunOptions &run) {
  std::string options;
  auto add = [&](llvm::StringRef option,
                 const std::vector<std::string> &names) {
    if (!names.empty())
      options += (options.empty() ? "" : " ") + option.str() + "=" +
                 llvm::join(names, ",");
  };
  add("assume-fresh-results", run.freshResults);
  add("assume-no-capture", run.noCapture);
  if (!options.empty())
    for (std::string &pass : run.passes)
      if (pass == trace::lastUsePass)
        pass += "{" + options + "}";
}

static std::string setByName(llvm::StringRef text, trace::RunOptions &run) {
  std::string error;
  std::optional<PlacementPipeline> known = parsePlacement(text, error);
  if (!known)
    return error + "; or passes, as 'builtin.module(...)'";
  if (!known->before.empty())
    flatten(known->before, "", "", run);
  if (known->placement == Placement::classic)
    flatten("func.func(buffer-deallocation),canonicalize", "", "", run);
  else
    flatten("buffer-deallocation-pipeline", "", "", run);
  if (!known->inside.empty())
    trace::insertInFrontOfLowering(run.passes, known->inside);
  run.privateFunctionDynamicOwnership |= known->placement == Placement::dynamic;
  if (!known->after.empty())
    flatten(known->after, "", "", run);
  return {};
}

/// What MLIR says to the pass; empty if it takes it. Ours are not registered.
static std::string faultOf(llvm::StringRef pass) {
  if (trace::passName(std::string_view(pass)) == trace::classicPass)
    return {};
  std::string said;
  llvm::raw_string_ostream errors(said);
  OpPassManager manager("builtin.module");
  if (succeeded(parsePassPipeline(pass, manager, errors)))
    return {};
  return llvm::StringRef(said).trim().str();
}

std::string setPipeline(llvm::StringRef text, trace::RunOptions &run) {
  if (std::string problem = nestingProblem(text); !problem.empty())
    return problem;
  trace::RunOptions made = run;
  made.passes.clear();
  made.pipeline = text.str();
  if (text.contains('('))
    flatten(text.trim(), "", "", made);
  else if (std::string error = setByName(text, made); !error.empty())
    return error;
  stateForLastUse(made);
  if (made.passes.empty())
    return "'" + text.str() + "' has no pass";
  if (made.passes.size() > size_t(trace::maxStage))
    return "'" + text.str() + "' has more than " +
           std::to_string(trace::maxStage) + " passes";
  for (const std::string &pass : made.passes)
    if (std::string fault = faultOf(pass); !fault.empty())
      return fault;
  if (made.passes == trace::passesOf({}))
    made.passes.clear(), made.pipeline.clear();
  run = std::move(made);
  return {};
}

//===--- Pipelines as MLIR prints them ------------------------------------===//

static void collectPrinted(llvm::StringRef text,
                           std::vector<std::string> &anchors,
                           std::vector<NestedPass> &passes) {
  for (llvm::StringRef part : splitOutside(text)) {
    auto [anchor, inside] = splitAnchor(part);
    if (anchor.empty()) {
      if (!part.empty())
        passes.push_back({anchors, part.str()});
      continue;
    }
    anchors.push_back(anchor.str());
    collectPrinted(inside, anchors, passes);
    anchors.pop_back();
  }
}

std::vector<NestedPass> passesInPrinted(llvm::StringRef pipeline) {
  std::vector<NestedPass> passes;
  std::vector<std::string> anchors;
  collectPrinted(pipeline.trim(), anchors, passes);
  return passes;
}

std::vector<std::string> partsOf(llvm::StringRef pipeline) {
  std::vector<std::string> parts;
  for (llvm::StringRef part : splitOutside(pipeline.trim()))
    if (!part.empty())
      parts.push_back(part.str());
  return parts;
}

std::string textOf(const NestedPass &pass) {
  std::string text = pass.text;
  for (const std::string &anchor : llvm::reverse(pass.anchors))
    text = anchor + "(" + text + ")";
  return text;
}

/// "a=1" and "b={x y}" of "pass{a=1 b={x y}}".
static std::vector<llvm::StringRef> optionsOf(llvm::StringRef pass) {
  std::vector<llvm::StringRef> options = splitOutside(passOptions(pass), ' ');
  llvm::erase(options, llvm::StringRef());
  return options;
}

/// The pass as a user would write it.
static std::string shortForm(const NestedPass &pass) {
  llvm::StringRef text = pass.text;
  llvm::StringRef name = text.split('{').first;
  OpPassManager manager(pass.anchors.empty() ? "any" : pass.anchors.back());
  if (failed(parsePassPipeline(name, manager, llvm::nulls())) ||
      manager.size() != 1)
    return pass.text;
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  manager.begin()->printAsTextualPipeline(stream);
  std::vector<llvm::StringRef> byDefault = optionsOf(printed);
  std::string options;
  for (llvm::StringRef option : optionsOf(text))
    if (!llvm::is_contained(byDefault, option))
      options += (options.empty() ? "" : " ") + option.str();
  return options.empty() ? name.str() : name.str() + "{" + options + "}";
}

void setPrintedPasses(const std::vector<NestedPass> &passes,
                      trace::RunOptions &run) {
  constexpr llvm::StringLiteral dynamic =
      "{private-function-dynamic-ownership=true}";
  run.passes.clear();
  // As in upstream's pipeline, where the option is the run's.
  std::vector<std::string> plain;
  for (const NestedPass &pass : passes) {
    std::string text = shortForm(pass);
    llvm::ArrayRef<std::string> anchors = pass.anchors;
    if (!anchors.empty() &&
        (anchors.front() == "builtin.module" || anchors.front() == "any"))
      anchors = anchors.drop_front();
    llvm::StringRef bare = text;
    if (bare.consume_back(dynamic) &&
        std::string_view(bare) == trace::ownershipPass)
      run.privateFunctionDynamicOwnership = true;
    else
      bare = text;
    for (const std::string &anchor : llvm::reverse(anchors))
      text = anchor + "(" + text + ")";
    plain.push_back(anchors.empty() ? bare.str() : text);
    run.passes.push_back(std::move(text));
  }
  run.pipeline = "builtin.module(" + llvm::join(run.passes, ",") + ")";
  if (plain == trace::passesOf({}))
    run.passes.clear(), run.pipeline.clear();
}

bool mayMakeInvalidIr(int stage, int last, const trace::RunOptions &run) {
  const size_t pass = size_t(stage) - 1;
  if (stage >= last || pass >= std::size(upstream::pipelinePasses))
    return true;
  const upstream::PipelinePass &known = upstream::pipelinePasses[pass];
  return known.mayMakeInvalidIr || trace::passesOf(run)[pass] != known.text;
}

int parseStage(llvm::StringRef text, const trace::RunOptions &run) {
  const int last = trace::lastStage(run);
  if (text == "final")
    return last;
  unsigned number = 0;
  if (!text.getAsInteger(10, number))
    return number <= unsigned(last) ? int(number) : -1;
  unsigned wanted = 1;
  auto [base, suffix] = text.rsplit('-');
  if (!suffix.empty() && !suffix.getAsInteger(10, number) && number > 0) {
    text = base;
    wanted = number;
  }
  for (int stage = 0; stage <= last; ++stage)
    if (trace::stageName(run, stage) == std::string_view(text) && --wanted == 0)
      return stage;
  return -1;
}

} // namespace memreflens
