//===- core/pipeline/run/Worker.cpp ---------------------------------------===//
//
// The only file of core that starts processes.

#include "core/pipeline/run/Worker.h"
#include "core/process/Child.h"
#include "core/trace/Plan.h"

#include "llvm/Support/ErrorHandling.h"

#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <malloc.h>
#include <new>
#include <set>
#include <string>
#include <sys/mman.h>
#include <tuple>
#include <unistd.h>

namespace memreflens {

using Job = std::function<int(const WorkerRequest &)>;
using Clock = std::chrono::steady_clock;

/// EX_SOFTWARE and EX_OSERR of sysexits.h.
static constexpr int softwareError = 70, systemError = 71;
static constexpr unsigned maxRounds = 64;

std::vector<Quarantined> WorkerRequest::quarantineOf(int file) const {
  std::vector<Quarantined> entries;
  for (const auto &[index, entry] : quarantine)
    if (index == file)
      entries.push_back(entry);
  return entries;
}

namespace {
enum class Ending { exited, died, timedOut, outOfMemory };

struct Outcome {
  Ending ending = Ending::exited;
  ChildEnd end;
};

/// Forks, watches and bisects.
class Supervisor {
public:
  Supervisor(const Job &job, const WorkerOptions &options);
  ~Supervisor() { munmap(progress, sizeof(WorkerProgress)); }
  int run();

private:
  Outcome runChild(const WorkerProbe *probe);
  Outcome watch(Child child, bool isProbe);
  void showStage() const;
  /// Adds the functions of [begin, end) that die at the probe's stage.
  void findCulprits(WorkerProbe probe);
  bool isKnown(int file, trace::Id chunk, const std::string &function) const;
  bool quarantineWholeChunk(const WorkerProbe &probe, const Outcome &outcome);
  int giveUp(const Outcome &outcome) const;
  std::string prePassWords() const;

  const Job &job;
  WorkerOptions options;
  WorkerProgress *progress;
  /// How often it may be tried to find who did it.
  unsigned probesLeft = UINT_MAX;
  WorkerRequest request;
};
} // namespace

Supervisor::Supervisor(const Job &job, const WorkerOptions &options)
    : job(job), options(options) {
  void *memory = mmap(nullptr, sizeof(WorkerProgress), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  progress = new (memory) WorkerProgress();
}

/// Batches come and go (Batches.h): what one leaves, the next one takes. It all
/// goes with the process.
static void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  // What a batch has is not given back either; what the whole file has, is.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TOP_PAD, 16 << 20);
#endif
}

/// LLVM's own allocators ask this, not `new`.
static void endWhereLlvmHasNoMemory() {
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { endJobOutOfMemory(); });
}

void Supervisor::showStage() const {
  if (progress->batches > 0)
    std::fprintf(stderr, "\r\033[K[%d/%d] batches of functions",
                 progress->batchesDone, progress->batches);
  else if (progress->chunk != trace::none)
    std::fprintf(
        stderr, "\r\033[K[%d/%d] %s", progress->stage,
        trace::lastStage(options.run),
        std::string(trace::stageName(options.run, progress->stage)).c_str());
  std::fflush(stderr);
}

Outcome Supervisor::watch(Child child, bool isProbe) {
  Clock::time_point since = Clock::now();
  std::tuple<int, int, int> last = {-1, -1, -1};
  auto goesOn = [&] {
    std::tuple<int, int, int> now = {progress->stage, progress->chunk,
                                     progress->batchesDone};
    if (now != last) {
      last = now;
      since = Clock::now();
      if (options.showProgress && !isProbe)
        showStage();
    }
    std::chrono::duration<double> spent = Clock::now() - since;
    return options.stageSeconds <= 0 || progress->isPastStages ||
           spent.count() <= options.stageSeconds;
  };
  // Without a limit and nothing to show there is no reason to look.
  std::optional<ChildEnd> end = options.stageSeconds > 0 || options.showProgress
                                    ? child.waitWhile(goesOn)
                                    : std::optional(child.wait());
  if (options.showProgress)
    std::fputs("\r\033[K", stderr);
  if (!end) {
    child.kill();
    return {Ending::timedOut, {-1, SIGKILL}};
  }
  if (end->hasReturned)
    return {Ending::exited, *end};
  return {end->isOutOfMemory ? Ending::outOfMemory : Ending::died, *end};
}

Outcome Supervisor::runChild(const WorkerProbe *probe) {
  *progress = WorkerProgress();
  request.probe = probe;
  request.progress = progress;
  Child child = Child::run([&] {
    endWhereLlvmHasNoMemory();
    keepFreedMemory();
    int status = job(request);
    std::fflush(nullptr);
    return status;
  });
  if (!child.hasStarted()) {
    std::fprintf(stderr,
                 "memref-lens: error: cannot start a process: %s; end others, "
                 "or raise the limit (ulimit -u)\n",
                 strerror(errno));
    return {Ending::exited, {systemError}};
  }
  return watch(child, probe != nullptr);
}

static std::string describe(const Outcome &outcome, double limit) {
  if (outcome.ending == Ending::timedOut)
    return "stopped after " + std::to_string(int(limit)) + " s";
  return deathWords(outcome.end);
}

static Quarantined toQuarantine(const WorkerProbe &probe, std::string function,
                                const Outcome &outcome, double limit) {
  Quarantined entry;
  entry.chunk = probe.chunk;
  entry.function = std::move(function);
  entry.stage = probe.stage;
  entry.status = trace::FunctionStatus::crashedStage;
  entry.cause = outcome.ending == Ending::timedOut
                    ? trace::RejectionCause::stageTimedOut
                    : trace::RejectionCause::stageCrashed;
  entry.message = describe(outcome, limit);
  return entry;
}

bool Supervisor::isKnown(int file, trace::Id chunk,
                         const std::string &function) const {
  for (const auto &[index, entry] : request.quarantine)
    if (index == file && entry.chunk == chunk && entry.function == function)
      return true;
  return false;
}

void Supervisor::findCulprits(WorkerProbe probe) {
  if (probe.begin >= probe.end || probesLeft == 0)
    return;
  --probesLeft;
  Outcome outcome = runChild(&probe);
  if (outcome.ending == Ending::exited)
    return;
  if (probe.end - probe.begin == 1) {
    if (isKnown(probe.file, probe.chunk, progress->functionName))
      return;
    request.quarantine.emplace_back(
        probe.file, toQuarantine(probe, progress->functionName, outcome,
                                 options.stageSeconds));
    return;
  }
  WorkerProbe half = probe;
  half.end = probe.begin + (probe.end - probe.begin) / 2;
  findCulprits(half);
  half.begin = half.end;
  half.end = probe.end;
  findCulprits(half);
}

/// No single function does it: the chunk ends before the stage. False if that
/// was tried already.
bool Supervisor::quarantineWholeChunk(const WorkerProbe &probe,
                                      const Outcome &outcome) {
  for (const auto &[file, entry] : request.quarantine)
    if (file == probe.file && entry.chunk == probe.chunk &&
        entry.function.empty() && entry.stage <= probe.stage)
      return false;
  request.quarantine.emplace_back(
      probe.file, toQuarantine(probe, "", outcome, options.stageSeconds));
  return true;
}

/// Where a pass of the user's ended it.
std::string Supervisor::prePassWords() const {
  const std::string pass = progress->prePass, symbol = progress->prePassOn;
  if (pass.empty())
    return "";
  return " in the pass " + pass + ", which runs before the pipeline" +
         (symbol.empty() ? "" : ", on " + symbol);
}

/// Nothing that the program holds is known to be the reason.
int Supervisor::giveUp(const Outcome &outcome) const {
  if (outcome.ending == Ending::outOfMemory) {
    std::fprintf(stderr, "memref-lens: error: the analysis ran out of memory; "
                         "allow it more (ulimit -v), or give it a part of the "
                         "file\n");
    return systemError;
  }
  if (outcome.end.signal == SIGKILL)
    std::fprintf(stderr, "memref-lens: error: the analysis was killed, by "
                         "somebody or by the system for want of memory\n");
  return 128 + outcome.end.signal;
}

int Supervisor::run() {
  // Chunks and stages that were tried once more.
  std::set<std::tuple<int, int, int>> again;
  // Each round sets something more aside; a file can only have so many fatal
  // functions before it is hopeless.
  for (unsigned round = 0; round < maxRounds; ++round) {
    Outcome outcome = runChild(nullptr);
    if (outcome.ending == Ending::exited)
      return outcome.end.status;
    // No program does this to the process that reads it.
    const int signal = outcome.end.signal;
    bool isFromOutside = signal == SIGINT || signal == SIGTERM ||
                         signal == SIGPIPE || signal == SIGKILL;
    if (outcome.ending == Ending::died && isFromOutside)
      return giveUp(outcome);
    const bool isSlowOne =
        progress->batches == 0 && outcome.ending != Ending::died;
    if (!isSlowOne && std::exchange(request.mayHurry, false))
      continue;
    WorkerProbe probe;
    probe.file = progress->file;
    probe.chunk = progress->chunk;
    probe.stage = progress->stage;
    bool isAtStage = probe.chunk != trace::none && probe.stage >= 1 &&
                     !progress->isPastStages;
    if (!isAtStage && outcome.ending == Ending::outOfMemory)
      return giveUp(outcome);
    if (!isAtStage) {
      std::fprintf(stderr, "memref-lens: error: the analysis %s%s\n",
                   describe(outcome, options.stageSeconds).c_str(),
                   prePassWords().c_str());
      return softwareError;
    }
    size_t known = request.quarantine.size();
    WorkerProbe count = probe;
    Outcome counted = runChild(&count);
    if (outcome.ending == Ending::outOfMemory) {
      // Reading it may be too much already, and then each part of it is.
      if (counted.ending != Ending::exited)
        return giveUp(outcome);
      probesLeft = maxRounds;
    }
    probe.end = progress->functionCount;
    findCulprits(probe);
    bool isCut = std::exchange(probesLeft, UINT_MAX) == 0;
    if (request.quarantine.size() > known && !isCut)
      continue;
    if (outcome.ending == Ending::outOfMemory)
      return giveUp(outcome);
    // What no function does by itself may not have come from the program.
    bool isFirst =
        again.insert({probe.file, probe.chunk, probe.stage}).second &&
        outcome.ending == Ending::died;
    if (!isFirst && !quarantineWholeChunk(probe, outcome))
      break;
  }
  std::fprintf(stderr, "memref-lens: error: the analysis dies again and again; "
                       "the stages cannot be told apart\n");
  return softwareError;
}

int runInWorker(const Job &job, const WorkerOptions &options) {
  if (options.inProcess) {
    WorkerProgress progress;
    WorkerRequest request;
    request.progress = &progress;
    return job(request);
  }
  return Supervisor(job, options).run();
}

} // namespace memreflens
