//===- viewer/Load.cpp - reads a trace, or has one made -------------------===//

#include "viewer/Load.h"

#include "viewer/Child.h"
#include "viewer/Files.h"
#include "viewer/Salvage.h"

#include "core/trace/Json.h"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

namespace memreflens::viewer {

namespace fs = std::filesystem;

void Progress::set(std::string text) {
  std::lock_guard<std::mutex> lock(mutex);
  stage = std::move(text);
}

std::string Progress::text() const {
  std::lock_guard<std::mutex> lock(mutex);
  return stage;
}

std::vector<std::string> argumentsOf(const RunRequest &request) {
  const trace::RunOptions &run = request.options;
  std::vector<std::string> words;
  if (run.privateFunctionDynamicOwnership)
    words.push_back("--private-function-dynamic-ownership");
  if (run.allowUnregisteredDialect)
    words.push_back("--allow-unregistered-dialect");
  if (run.bufferize)
    words.push_back(run.bufferizeOptions.empty()
                        ? "--bufferize"
                        : "--bufferize=" + run.bufferizeOptions);
  if (!run.prePipeline.empty())
    words.push_back("--pre=" + run.prePipeline);
  if (!run.function.empty())
    words.insert(words.end(), {"--function", run.function});
  std::error_code error;
  // An absolute path cannot be taken for an option.
  words.push_back(fs::absolute(request.path, error).string());
  return words;
}

LoadResult readTrace(std::string text, const std::string &name) {
  trace::ReadResult read = trace::readJson(text);
  // The text of a large trace is larger than what is made of it.
  if (read)
    text = std::string();
  if (read)
    return {std::make_shared<Program>(std::move(*read.trace)), ""};
  std::string error =
      name + " is no trace that this viewer can show: " + read.error;
  if (auto rest = salvageTrace(text, error))
    return {std::make_shared<Program>(std::move(*rest)), error};
  return {nullptr, error};
}

namespace {
/// A folder for the child's files, gone with the load.
struct Scratch {
  Scratch() {
    std::error_code error;
    path = (fs::temp_directory_path(error) / "memref-lens-XXXXXX").string();
    if (!mkdtemp(path.data()))
      path.clear();
  }
  ~Scratch() {
    std::error_code error;
    if (!path.empty())
      fs::remove_all(path, error);
  }
  std::string path;
};
} // namespace

/// What the child wrote over the same line while it worked.
static constexpr std::string_view lineStart = "\r\033[K";

static std::string lastStage(const std::string &errors) {
  size_t at = errors.rfind(lineStart);
  if (at == errors.npos)
    return "";
  std::string stage = errors.substr(at + lineStart.size());
  return stage.substr(0, stage.find('\n'));
}

/// The child's messages, without the stages that it showed between them.
static std::string withoutProgress(std::string_view errors) {
  std::string messages;
  while (!errors.empty()) {
    size_t at = errors.find(lineStart);
    messages += errors.substr(0, at);
    if (at == errors.npos)
      break;
    errors.remove_prefix(at + lineStart.size());
    if (errors.starts_with("["))
      errors.remove_prefix(
          std::min(errors.find_first_of("\r\n"), errors.size()));
  }
  return messages;
}

/// The child was given an absolute path; the user gave another one.
static std::string withPathAsGiven(std::string messages,
                                   const std::string &path) {
  std::error_code error;
  std::string absolute = fs::absolute(path, error).string();
  for (size_t at = messages.find(absolute);
       at != messages.npos && !absolute.empty();
       at = messages.find(absolute, at + path.size()))
    messages.replace(at, absolute.size(), path);
  return messages;
}

static LoadResult runTool(const RunRequest &request, const std::string &tool,
                          Progress &progress) {
  Scratch scratch;
  if (scratch.path.empty())
    return {nullptr, "cannot make a temporary folder"};
  std::string out = scratch.path + "/trace.json";
  std::string errorFile = scratch.path + "/errors";
  // `env` sets the variable for the child alone.
  std::vector<std::string> words = {
      "env", "MEMREF_LENS_PROGRESS=1", tool, "trace", "-o", out};
  for (std::string &word : argumentsOf(request))
    words.push_back(std::move(word));
  int turns = 0;
  runChild(words, errorFile, [&] {
    if (turns++ % 5 == 0)
      progress.set(lastStage(readFile(errorFile).value_or("")));
    return !progress.cancelled;
  });
  if (progress.cancelled)
    return {nullptr, "cancelled"};
  if (auto text = readFile(out)) {
    progress.set("reading the trace");
    return readTrace(std::move(*text), request.path);
  }
  std::string errors = withPathAsGiven(
      withoutProgress(readFile(errorFile).value_or("")), request.path);
  if (errors.empty())
    errors = "cannot run " + tool;
  LoadResult result{nullptr, errors};
  if (auto text = readFile(request.path); text && isText(*text))
    result.program = std::make_shared<Program>(
        traceOfErrors({request.path, std::move(*text)}, errors));
  return result;
}

LoadResult load(const RunRequest &request, const std::string &tool,
                Progress &progress) {
  std::error_code error;
  if (!fs::is_regular_file(request.path, error))
    return {nullptr, "cannot read " + request.path};
  if (!request.path.ends_with(".json"))
    return runTool(request, tool, progress);
  auto text = readFile(request.path);
  if (!text)
    return {nullptr, "cannot read " + request.path};
  return readTrace(std::move(*text), request.path);
}

std::string functionToBeginWith(std::string_view text, int line) {
  constexpr std::string_view keyword = "func.func ";
  std::string name;
  int count = 0, at = 1;
  bool isFixed = false;
  while (!text.empty()) {
    std::string_view row = text.substr(0, text.find('\n'));
    size_t start = row.find(keyword);
    size_t symbol = start == row.npos ? start : row.find('@', start);
    // A declaration has nothing to show.
    bool isDeclared = start != row.npos && row.find('{', start) == row.npos;
    if (symbol != row.npos && !isDeclared) {
      ++count;
      size_t end = row.find_first_of("( \t\"", symbol + 1);
      if (!isFixed)
        name = row.substr(symbol + 1, end - symbol - 1);
      isFixed |= line == 0;
    }
    isFixed |= line != 0 && at++ >= line && count > 0;
    text.remove_prefix(std::min(row.size() + 1, text.size()));
  }
  return count > 1 ? name : "";
}

/// Files below this size are analysed as a whole before one could look.
static constexpr size_t largeFile = 200 * 1024;

void Loader::loadEarly(const RunRequest &request, const std::string &tool,
                       const EarlyPlace &wanted) {
  auto text = readFile(request.path);
  if (!text || text->size() < largeFile || !isText(*text))
    return;
  RunRequest one = request;
  if (one.options.function.empty())
    one.options.function = wanted.function.empty()
                               ? functionToBeginWith(*text, wanted.line)
                               : wanted.function;
  trace::Trace plain;
  plain.source = {request.path, std::move(*text)};
  publish(std::make_shared<Program>(std::move(plain)));
  if (!one.options.function.empty() && request.options.function.empty())
    publish(runTool(one, tool, quickProgress).program);
}

void Loader::publish(std::shared_ptr<const Program> program) {
  std::lock_guard<std::mutex> lock(earlyMutex);
  if (program)
    early = std::move(program);
}

std::shared_ptr<const Program> Loader::takeEarly() {
  std::lock_guard<std::mutex> lock(earlyMutex);
  return std::move(early);
}

Loader::Loader(RunRequest request, std::string tool, EarlyPlace wanted) {
  if (!request.path.ends_with(".json"))
    quick = std::thread(
        [this, request, tool, wanted] { loadEarly(request, tool, wanted); });
  thread = std::thread([this, request, tool] {
    result = load(request, tool, progress);
    // Nobody needs a part any more.
    quickProgress.cancelled = true;
    done = true;
  });
}

Loader::~Loader() {
  cancel();
  thread.join();
  if (quick.joinable())
    quick.join();
}

LoadResult Loader::take() { return std::move(result); }

std::string toolBeside() {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  fs::path tool = self.parent_path() / "memref-lens";
  return !error && fs::exists(tool, error) ? tool.string() : "memref-lens";
}

} // namespace memreflens::viewer
