//===- viewer/work/Load.cpp - reads a trace, or has one made --------------===//

#include "viewer/work/Load.h"

#include "viewer/work/Child.h"
#include "viewer/work/Excerpt.h"
#include "viewer/work/Files.h"
#include "viewer/work/Salvage.h"

#include "core/files/ReadFile.h"
#include "core/trace/Json.h"
#include "core/trace/RunArguments.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace memreflens::viewer {

namespace fs = std::filesystem;

void Progress::set(std::string text) {
  if (told)
    told(text);
  std::lock_guard<std::mutex> lock(mutex);
  stage = std::move(text);
}

std::string Progress::text() const {
  std::lock_guard<std::mutex> lock(mutex);
  return stage;
}

static constexpr std::string_view traceEnding = ".json",
                                  compressedEnding = ".json.zst",
                                  bundleEnding = ".tar.gz";

bool isSavedFile(const std::string &path) {
  return path.ends_with(traceEnding) || path.ends_with(compressedEnding) ||
         path.ends_with(bundleEnding);
}

std::vector<std::string> argumentsOf(const RunRequest &request) {
  std::vector<std::string> words = trace::argumentsOf(request.options);
  std::error_code error;
  // An absolute path cannot be taken for an option.
  words.push_back(fs::absolute(request.path, error).string());
  return words;
}

LoadResult readTrace(const std::string &file, const std::string &name) {
  // Looked at once it is open: it may have become a pipe, which waits for ever.
  std::string why;
  int descriptor = openRegularFile(file, why);
  if (descriptor < 0)
    return {nullptr, "cannot read " + name + ": " + why};
  std::ifstream stream("/proc/self/fd/" + std::to_string(descriptor),
                       std::ios::binary);
  close(descriptor);
  trace::ReadResult read = trace::readJson(stream);
  if (read)
    return {std::make_shared<Program>(std::move(*read.trace)), ""};
  std::string error =
      name + " is no trace that this viewer can show: " + read.error;
  if (auto rest = salvageTrace(readFile(file).value_or(""), error))
    return {std::make_shared<Program>(std::move(*rest)), error};
  return {nullptr, error};
}

/// What the child wrote over the same line while it worked.
static constexpr std::string_view lineStart = "\r\033[K";

static std::string lastStage(const std::string &errors) {
  // Behind the last one it clears the line.
  size_t at = errors.rfind(std::string(lineStart) + "[");
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

namespace {
/// `memref-lens trace`, run to its end; what it wrote is gone with this.
class TraceRun {
public:
  TraceRun(const RunRequest &request, const std::string &tool,
           Progress &progress) {
    if (scratch.path.empty()) {
      messages = "cannot make a temporary folder";
      return;
    }
    std::string errorFile = scratch.path + "/errors";
    // `env` sets the variable for the child alone.
    std::vector<std::string> words = {
        "env", "MEMREF_LENS_PROGRESS=1", tool, "trace", "-o", traceFile()};
    for (std::string &word : argumentsOf(request))
      words.push_back(std::move(word));
    int turns = 0;
    runChild(words, errorFile, [&] {
      if (turns++ % 5 == 0)
        progress.set(lastStage(readFile(errorFile).value_or("")));
      return !progress.cancelled;
    });
    // A short run may end before it was looked at.
    progress.set(lastStage(readFile(errorFile).value_or("")));
    std::error_code error;
    hasTrace = !progress.cancelled && fs::exists(traceFile(), error);
    messages =
        progress.cancelled
            ? "cancelled"
            : withPathAsGiven(withoutProgress(readFile(errorFile).value_or("")),
                              request.path);
    if (messages.empty())
      messages = "cannot run " + tool;
  }
  std::string traceFile() const { return scratch.path + "/trace.json"; }

  /// Otherwise `messages` says why not.
  bool hasTrace = false;
  std::string messages;

private:
  Scratch scratch;
};
} // namespace

static LoadResult runTool(const RunRequest &request, const std::string &tool,
                          Progress &progress) {
  TraceRun run(request, tool, progress);
  if (run.hasTrace) {
    progress.set("reading the trace");
    LoadResult result = readTrace(run.traceFile(), request.path);
    // Another version made it, say.
    if (isSavedFile(request.path) && result.error.empty() &&
        run.messages.starts_with("memref-lens: note: "))
      result.error = run.messages.substr(0, run.messages.find('\n'));
    return result;
  }
  LoadResult result{nullptr, run.messages};
  if (auto text = readFile(request.path); text && !isSavedFile(request.path) &&
                                          isText(*text) && !progress.cancelled)
    result.program = std::make_shared<Program>(
        traceOfErrors({request.path, std::move(*text)}, run.messages));
  return result;
}

LoadResult load(const RunRequest &request, const std::string &tool,
                Progress &progress) {
  std::error_code error;
  if (!fs::is_regular_file(request.path, error))
    return {nullptr, "cannot read " + request.path};
  if (!request.path.ends_with(traceEnding) &&
      !request.path.ends_with(compressedEnding))
    return runTool(request, tool, progress);
  return readTrace(request.path, request.path);
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

/// Null if the function needs most of the program, or other functions matter.
static std::shared_ptr<const Program> runExcerpt(const RunRequest &request,
                                                 const std::string &text,
                                                 const std::string &tool,
                                                 Progress &progress) {
  // What runs before may look at all functions at once.
  if (request.options.bufferize || !request.options.prePipeline.empty() ||
      !request.options.pipeline.empty())
    return nullptr;
  std::string excerpt = excerptOf(text, request.options.function);
  Scratch scratch;
  RunRequest part{scratch.path + "/part.mlir", request.options};
  part.options.function.clear();
  if (excerpt.empty() || scratch.path.empty() || !writeFile(part.path, excerpt))
    return nullptr;
  TraceRun run(part, tool, progress);
  std::ifstream stream(run.traceFile(), std::ios::binary);
  trace::ReadResult made = trace::readJson(stream);
  bool isThere = made && std::ranges::any_of(
                             made.trace->functions, [&](const auto &function) {
                               return function.name == request.options.function;
                             });
  if (!isThere)
    return nullptr;
  made.trace->source = {request.path, text};
  return std::make_shared<Program>(std::move(*made.trace));
}

void Loader::loadEarly(const RunRequest &request, const std::string &tool,
                       const EarlyPlace &wanted) {
  auto text = readFile(request.path);
  if (!text || text->size() < largeFile || !isText(*text))
    return excerptTried.set_value();
  trace::Trace plain;
  plain.source = {request.path, *text};
  publish(std::make_shared<Program>(std::move(plain)));
  RunRequest one = request;
  one.options.function = wanted.function.empty()
                             ? functionToBeginWith(*text, wanted.line)
                             : wanted.function;
  if (one.options.function.empty() || !request.options.function.empty())
    return excerptTried.set_value();
  auto part = runExcerpt(one, *text, tool, quickProgress);
  publish(part);
  excerptTried.set_value();
  if (!part && !quickProgress.cancelled)
    publish(runTool(one, tool, quickProgress).program);
}

void Loader::waitForExcerpt() {
  constexpr std::chrono::milliseconds most(500), turn(5);
  auto tried = excerptTried.get_future();
  for (auto waited = turn; waited < most && !progress.cancelled; waited += turn)
    if (tried.wait_for(turn) == std::future_status::ready)
      return;
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
  bool isTrace = isSavedFile(request.path);
  if (!isTrace)
    quick = std::thread(
        [this, request, tool, wanted] { loadEarly(request, tool, wanted); });
  thread = std::thread([this, isTrace, request, tool] {
    if (!isTrace)
      waitForExcerpt();
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
