//===- core/attach/Attach.cpp ---------------------------------------------===//

#include "core/attach/Attach.h"
#include "core/attach/InChild.h"
#include "core/attach/PassRecorder.h"
#include "core/attach/TraceOfRun.h"
#include "core/files/WholeFile.h"
#include "core/trace/Json.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ManagedStatic.h"
#include "llvm/Support/Path.h"

#include <mutex>
#include <set>
#include <sstream>

using namespace mlir;

namespace memreflens {

/// A name that no other run of the process has: "matmul", "matmul-2".
static std::string uniqueName(const std::string &directory,
                              const std::string &file) {
  static std::mutex mutex;
  static std::set<std::string> used;
  std::string stem = llvm::sys::path::stem(file).str();
  // Standard input has no name that a file could have.
  if (stem.empty() || stem == "-" || stem.front() == '<')
    stem = "program";
  std::lock_guard lock(mutex);
  for (unsigned number = 1;; ++number) {
    std::string name = number == 1 ? stem : stem + "-" + std::to_string(number);
    if (used.insert(directory + "/" + name).second)
      return name;
  }
}

/// Whole or not at all.
static void writeFile(const std::string &path, const std::string &text) {
  std::string error;
  if (!writeWhole(path, text, {}, error))
    llvm::errs() << "memref-lens: cannot write '" << path << "': " << error
                 << "\n";
}

namespace {
/// What becomes of the runs of one pass manager.
class Writer {
public:
  explicit Writer(AttachOptions options) : options(std::move(options)) {}

  void operator()(const RecordedRun &run, bool isEnd) {
    const bool tells = isEnd && options.onTrace;
    if (!tells && options.directory.empty())
      return;
    if (name.empty())
      name = uniqueName(options.directory, run.file);
    std::string json, why;
    bool isMade = writtenInChild(
        [&](std::FILE *output) { return make(run, tells ? output : nullptr); },
        json, why);
    if (!isMade)
      llvm::errs() << "memref-lens: no trace of '" << name << "': " << why
                   << "\n";
    if (!isEnd)
      return;
    if (isMade && tells)
      if (trace::ReadResult read = trace::readJson(json))
        options.onTrace(*read.trace);
    // The next run of the same passes is another program.
    name.clear();
  }

private:
  /// In the child: writes the files, and the trace to `output` if given.
  int make(const RecordedRun &run, std::FILE *output) const {
    std::string base = pathTo(name);
    RunSource source = sourceOf(run, base + ".mlir");
    return traceOf(run, source, {options.aliases, options.stageSeconds},
                   [&](const trace::Trace &trace) {
                     std::ostringstream text;
                     trace::writeJson(trace, text);
                     if (!options.directory.empty())
                       write(text.str(), source, base);
                     if (output)
                       std::fputs(text.str().c_str(), output);
                   });
  }

  std::string pathTo(const std::string &file) const {
    llvm::SmallString<128> path(options.directory);
    llvm::sys::path::append(path, file);
    return path.str().str();
  }

  void write(const std::string &json, const RunSource &source,
             const std::string &base) const {
    if (std::error_code error =
            llvm::sys::fs::create_directories(options.directory)) {
      llvm::errs() << "memref-lens: cannot make '" << options.directory
                   << "': " << error.message() << "\n";
      return;
    }
    if (!source.isFile)
      writeFile(base + ".mlir", source.source.text);
    writeFile(base + ".trace.json", json);
  }

  AttachOptions options;
  std::string name;
};
} // namespace

void attach(PassManager &passes, AttachOptions options) {
  bool tellsEarly = options.writeEarly;
  passes.addInstrumentation(std::make_unique<PassRecorder>(
      passes, tellsEarly, Writer(std::move(options))));
}

//===--- On the command line ----------------------------------------------===//

namespace {
struct AttachCLOptions {
  llvm::cl::opt<std::string> directory{
      "memref-lens-trace", llvm::cl::value_desc("directory"),
      llvm::cl::desc("Write a trace of who owns each buffer, and why, for each "
                     "pipeline that is run")};
};
} // namespace

static llvm::ManagedStatic<AttachCLOptions> attachCLOptions;

void registerAttachCLOptions() { *attachCLOptions; }

void applyAttachCLOptions(PassManager &passes) {
  if (attachCLOptions.isConstructed() &&
      attachCLOptions->directory.getNumOccurrences() > 0)
    attach(passes, {.directory = attachCLOptions->directory});
}

} // namespace memreflens
