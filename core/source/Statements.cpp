//===- core/source/Statements.cpp -----------------------------------------===//

#include "core/source/Statements.h"
#include "core/source/Contracts.h"
#include "core/source/Document.h"
#include "core/source/Identity.h"
#include "core/trace/Assumed.h"
#include "core/trace/RunArguments.h"
#include "core/trace/Symbol.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fstream>

using namespace mlir;

namespace memreflens {

using trace::Problem;
using trace::Severity;

//===--- The file ---------------------------------------------------------===//

static constexpr StringLiteral fileName = "memref-lens.assume";
static constexpr uint64_t maxFileBytes = 1 << 20;

std::string statementFileOf(const std::string &program) {
  if (program.empty() || program == "-")
    return "";
  SmallString<256> folder(program);
  (void)llvm::sys::fs::make_absolute(folder);
  llvm::sys::path::remove_dots(folder, /*remove_dot_dot=*/true);
  while (llvm::sys::path::has_parent_path(folder)) {
    llvm::sys::path::remove_filename(folder);
    SmallString<256> path(folder);
    llvm::sys::path::append(path, fileName);
    if (llvm::sys::fs::is_regular_file(path))
      return std::string(path);
  }
  return "";
}

static Problem makeProblem(Severity severity, std::string message) {
  Problem problem;
  problem.severity = severity;
  problem.message = std::move(message);
  return problem;
}

std::vector<Problem> addStatementsBeside(const std::string &program,
                                         trace::RunOptions &run) {
  std::vector<Problem> problems;
  const std::string path = statementFileOf(program);
  if (path.empty())
    return problems;
  uint64_t size = 0;
  if (llvm::sys::fs::file_size(path, size) || size > maxFileBytes) {
    problems.push_back(makeProblem(Severity::warning,
                                   path + " is not read: it has over 1 MiB"));
    return problems;
  }
  std::ifstream file(path, std::ios::binary);
  std::string content(size_t(size), '\0');
  if (!file.read(content.data(), std::streamsize(size))) {
    problems.push_back(makeProblem(Severity::warning, "cannot read " + path));
    return problems;
  }
  unsigned number = 0, statements = 0;
  StringRef text = content;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    ++number;
    line = line.trim();
    if (line.empty() || line.starts_with("#"))
      continue;
    const std::string argument = "--assume=" + line.str();
    if (llvm::is_contained(trace::argumentsOf(run), argument) ||
        trace::takeArgument(argument, run)) {
      ++statements;
      continue;
    }
    problems.push_back(makeProblem(
        Severity::warning, path + ":" + std::to_string(number) +
                               ": no statement: " + line.str() +
                               "; one is fresh-results=@f, for instance"));
  }
  if (statements > 0)
    problems.push_back(
        makeProblem(Severity::note,
                    "taken from " + path + ": " + std::to_string(statements) +
                        (statements == 1 ? " statement" : " statements")));
  return problems;
}

//===--- Whether they fit -------------------------------------------------===//

namespace {
/// Reports to one chunk of the trace.
class Reporter {
public:
  Reporter(trace::Id chunk, trace::Trace &trace) : chunk(chunk), trace(trace) {}
  void warn(Operation *at, std::string message) {
    Problem problem = makeProblem(Severity::warning, std::move(message));
    problem.chunk = chunk;
    const uint32_t begin = trace.chunks[chunk].range.begin;
    const int64_t offset = at ? offsetOf(at->getLoc(), trace) : -1;
    problem.range = {offset >= 0 ? uint32_t(offset) : begin,
                     offset >= 0 ? uint32_t(offset) : begin};
    trace.problems.push_back(std::move(problem));
  }

private:
  trace::Id chunk;
  trace::Trace &trace;
};
} // namespace

static std::string nameOf(FunctionOpInterface function) {
  return trace::symbolText(function.getName().str());
}

/// "@f has 2 arguments"; empty where the statement fits.
static std::string misfit(FunctionOpInterface function, StringRef statement,
                          int argument) {
  if (!function.isExternal())
    return nameOf(function) + " has a body, which is what counts";
  auto isMemref = [](Type type) { return isa<BaseMemRefType>(type); };
  if (argument < 0)
    return !statement.contains("no-capture") &&
                   llvm::none_of(function.getResultTypes(), isMemref)
               ? nameOf(function) + " returns no memref"
               : "";
  const unsigned count = function.getNumArguments();
  if (unsigned(argument) >= count)
    return nameOf(function) + " has " + std::to_string(count) +
           (count == 1 ? " argument" : " arguments") +
           ", which are counted from 0";
  return isMemref(function.getArgumentTypes()[unsigned(argument)])
             ? ""
             : "argument " + std::to_string(argument) + " of " +
                   nameOf(function) + " is no memref";
}

namespace {
struct Stated {
  /// "keeps-argument=@f:0".
  std::string text;
  std::string function;
  int argument = -1;
};
} // namespace

static std::vector<Stated> statementsIn(const trace::RunOptions &run) {
  std::vector<Stated> all;
  for (const std::string &name : run.freshResults)
    all.push_back({"fresh-results=" + name, name});
  for (const std::string &name : run.noCapture)
    all.push_back({"no-capture=" + name, name});
  for (const std::string &text : run.contracts)
    if (auto statement = trace::statementIn(text))
      all.push_back({text, statement->function, statement->argument});
  return all;
}

static SmallVector<FunctionOpInterface> functionsOf(ModuleOp module) {
  SmallVector<FunctionOpInterface> all;
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    all.push_back(function);
    return WalkResult::skip();
  });
  return all;
}

void markFreshResults(ModuleOp module, trace::Trace &trace) {
  if (!statesFreshResults(module, trace.options))
    return;
  for (FunctionOpInterface function : functionsOf(module))
    if (const trace::Function *known = tracedFunction(function, trace))
      trace.functions[size_t(known->id)].hasFreshResults =
          contractOf(function, trace.options).hasFreshResults;
}

static void checkOptions(ArrayRef<FunctionOpInterface> functions,
                         const trace::RunOptions &run,
                         std::set<std::string> &met, Reporter &reporter) {
  for (const Stated &stated : statementsIn(run)) {
    // What is stated of many need not be true of each of them.
    const bool isPattern = StringRef(stated.function).contains('*');
    for (FunctionOpInterface function : functions) {
      if (!trace::isNamed({stated.function}, function.getName().str()))
        continue;
      met.insert(stated.text);
      const std::string why = misfit(function, stated.text, stated.argument);
      if (!why.empty() && !isPattern)
        reporter.warn(function,
                      "--assume=" + stated.text + " states nothing: " + why);
    }
  }
}

static constexpr StringLiteral prefix = "memref_lens.";

/// Those of the program, and those that passes of memref-lens set themselves.
static constexpr StringLiteral ofFunctions[] = {"fresh_results",
                                                "keeps_results", "no_capture"},
                               ofArguments[] = {"returned", "kept", "released"},
                               ofOurs[] = {"shape_of", "access", "allocation",
                                           "none",     "scopes", "block"};

static void checkAttribute(FunctionOpInterface function, StringRef name,
                           int argument, Reporter &reporter) {
  if (!name.consume_front(prefix) || llvm::is_contained(ofOurs, name))
    return;
  const bool isOfArgument = llvm::is_contained(ofArguments, name);
  const bool isOfFunction = llvm::is_contained(ofFunctions, name);
  const std::string text = (prefix + name).str();
  if (!isOfArgument && !isOfFunction) {
    StringRef closest;
    unsigned least = 4;
    for (ArrayRef<StringLiteral> names :
         {ArrayRef(ofFunctions), ArrayRef(ofArguments)})
      for (StringRef known : names)
        if (const unsigned distance = name.edit_distance(known);
            distance < least)
          std::tie(least, closest) = std::pair(distance, known);
    reporter.warn(function, text + " is no attribute of memref-lens" +
                                (closest.empty() ? ""
                                                 : "; " + prefix.str() +
                                                       closest.str() + " is"));
    return;
  }
  if (isOfArgument != (argument >= 0)) {
    reporter.warn(function,
                  text + " is an attribute of " +
                      (isOfArgument ? "an argument" : "the function itself"));
    return;
  }
  const std::string why =
      misfit(function, name == "no_capture" ? "no-capture" : "", argument);
  if (!why.empty())
    reporter.warn(function, text + " states nothing: " + why);
}

static void checkContract(FunctionOpInterface function,
                          const trace::RunOptions &run, Reporter &reporter) {
  const Contract contract = contractOf(function, run);
  const std::pair<bool, StringRef> said[] = {
      {contract.hasFreshResults, "fresh-results"},
      {contract.keepsResults, "keeps-results"},
      {contract.returned >= 0, "returns-argument"}};
  SmallVector<StringRef, 3> all;
  for (const auto &[isSaid, word] : said)
    if (isSaid)
      all.push_back(word);
  if (all.size() > 1)
    reporter.warn(function, "what is stated of " + nameOf(function) +
                                " cannot all be true: " + all[0].str() +
                                " and " + all[1].str());
  for (unsigned argument : contract.released)
    if (llvm::is_contained(contract.kept, argument))
      reporter.warn(function, "what is stated of argument " +
                                  std::to_string(argument) + " of " +
                                  nameOf(function) +
                                  " cannot all be true: keeps-argument and "
                                  "releases-argument");
}

void checkStatements(ModuleOp module, trace::Id chunk,
                     std::set<std::string> &met, trace::Trace &trace) {
  Reporter reporter(chunk, trace);
  const SmallVector<FunctionOpInterface> functions = functionsOf(module);
  checkOptions(functions, trace.options, met, reporter);
  for (FunctionOpInterface function : functions) {
    for (NamedAttribute attribute : function->getDiscardableAttrs())
      checkAttribute(function, attribute.getName().getValue(), -1, reporter);
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      for (NamedAttribute attribute : function.getArgAttrs(i))
        checkAttribute(function, attribute.getName().getValue(), int(i),
                       reporter);
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      for (NamedAttribute attribute : function.getResultAttrs(i))
        if (attribute.getName().getValue().starts_with(prefix))
          reporter.warn(function, attribute.getName().getValue().str() +
                                      " is no attribute of a result");
    checkContract(function, trace.options, reporter);
  }
}

void reportUnmet(const std::set<std::string> &met, trace::Trace &trace) {
  for (const Stated &stated : statementsIn(trace.options))
    if (!met.count(stated.text) && !trace.chunks.empty())
      Reporter(0, trace).warn(nullptr, "--assume=" + stated.text +
                                           " states nothing: no function has "
                                           "that name");
}

} // namespace memreflens
