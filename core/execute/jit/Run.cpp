//===- core/execute/jit/Run.cpp -------------------------------------------===//

#include "core/execute/jit/Run.h"
#include "core/execute/jit/Compile.h"
#include "core/execute/jit/Lowering.h"
#include "core/execute/jit/Sandbox.h"
#include "core/process/Child.h"
#include "core/source/DeepStack.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <dlfcn.h>

using namespace mlir;

namespace memreflens::execute {

//===--- The entry --------------------------------------------------------===//

func::FuncOp entryOf(ModuleOp module, const std::string &name,
                     std::string &error) {
  std::vector<func::FuncOp> bodies, open;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    bodies.push_back(function);
    if (!function.isPrivate())
      open.push_back(function);
  }
  for (func::FuncOp function : bodies)
    if (function.getName() == name)
      return function;
  if (!name.empty()) {
    error = "has no function '@" + name + "' with a body";
    return {};
  }
  if (open.size() == 1)
    return open.front();
  for (func::FuncOp function : open)
    if (function.getName() == "main")
      return function;
  std::vector<std::string> names;
  for (func::FuncOp function : open.empty() ? bodies : open)
    names.push_back("@" + function.getName().str());
  error = names.empty() ? "has no function with a body"
                        : "has several functions that could be run; name one "
                          "with '--entry': " +
                              llvm::join(names, ", ");
  return {};
}

//===--- In the child -----------------------------------------------------===//

static int runChild(ModuleOp module, const Program &program,
                    const SharedCounts &counts, const RunOptions &options) {
  const uint64_t indexBits =
      DataLayout(module)
          .getTypeSizeInBits(IndexType::get(module.getContext()))
          .getFixedValue();
  LoweringFault fault = lower(module, options.lowering);
  if (!fault.message.empty()) {
    constexpr uint64_t ours = 8 * sizeof(void *);
    counts.fail(indexBits == ours || !options.lowering.empty()
                    ? "it cannot be lowered to LLVM: " + fault.message
                    : "by its data layout (dlti.dl_spec) an index has " +
                          std::to_string(indexBits) +
                          " bits, and this machine runs " + "what has " +
                          std::to_string(ours) + ": leave that out to run it",
                fault.site);
    return 1;
  }
  addHooks(module, program);
  counts.totals().phase = RunPhase::compiling;
  Compiled compiled = compile(module, options.libraries);
  if (!compiled.main) {
    counts.fail(compiled.error);
    return 1;
  }
  Heap heap(counts, program.owners, options.mostBytes,
            /*hasLibraries=*/!options.libraries.empty());
  if (!heap.isOpen()) {
    counts.fail("the system gives no addresses for the program's heap");
    return 1;
  }
  beginRuntime(heap, counts, program, options.seed);
  // Else a handler of ours would ask the system for more than a program may.
  for (int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP})
    std::signal(signal, SIG_DFL);
  runOnDeepStack([&] {
    if (!enterSandbox(/*mayWrite=*/!options.libraries.empty())) {
      counts.fail("the system cannot keep the program from files and network");
      return;
    }
    counts.totals().phase = RunPhase::running;
    compiled.main();
    heap.finish();
    counts.totals().phase = RunPhase::ended;
    leaveAtOnce();
  });
  return 1;
}

//===--- The record -------------------------------------------------------===//

static int64_t indexOf(uint32_t site) {
  return site == nowhere || site == 0 ? -1 : int64_t(site);
}

static Fault faultOf(const FaultCount &count, const Program &program) {
  Fault fault;
  fault.kind = count.kind;
  fault.isWrite = count.isWrite;
  fault.offset = count.offset;
  fault.size = count.size;
  fault.times = count.times;
  auto place = [&](uint32_t site) -> int64_t {
    const bool isShown = site != nowhere &&
                         (program.owners[site] == Owner::program ||
                          (program.owners[site] == Owner::keeper &&
                           program.sites[site].kind == SiteKind::deallocation));
    return isShown ? indexOf(site) : -1;
  };
  fault.site = place(count.site);
  fault.allocation = place(count.allocation);
  fault.deallocation = place(count.deallocation);
  if (count.allocation != nowhere &&
      (program.owners[count.allocation] == Owner::caller ||
       program.owners[count.allocation] == Owner::keeper))
    fault.argument = program.sites[count.allocation].value;
  if (count.keeper != nowhere)
    fault.keeper = "@" + program.sites[count.keeper].function;
  if (count.site != nowhere && program.owners[count.site] == Owner::result)
    fault.result = program.sites[count.site].value;
  return fault;
}

static void takeEnd(Record &record, const std::optional<ChildEnd> &end,
                    const SharedCounts &counts, const RunOptions &options) {
  const RunTotals &totals = counts.totals();
  record.failure = totals.failure.data();
  record.lastSite = indexOf(totals.lastSite);
  if (totals.phase == RunPhase::ended)
    return;
  if (!end && totals.phase == RunPhase::running) {
    record.end = RunEnd::timedOut;
    record.failure = std::to_string(int64_t(options.seconds)) + " s";
  } else if (!end) {
    record.end = RunEnd::notRun;
    record.failure =
        std::string(totals.phase == RunPhase::lowering ? "lowering"
                                                       : "compiling") +
        " it to LLVM takes longer than " +
        std::to_string(int64_t(options.compileSeconds)) +
        " s; '--compile-timeout' allows more";
  } else if (totals.isOutOfMemory) {
    record.end = RunEnd::outOfMemory;
  } else if (totals.phase == RunPhase::running) {
    record.end = RunEnd::crashed;
    record.signal = end->signal;
    if (record.failure.empty())
      record.failure = end->signal ? causeOfDeath(*end) : "it ends the process";
  } else {
    record.end = RunEnd::notRun;
    record.lastSite = indexOf(totals.failedSite);
    if (record.failure.empty())
      record.failure =
          std::string("MLIR ends its process while ") +
          (totals.phase == RunPhase::lowering ? "the program is lowered"
                                              : "it is compiled");
  }
}

static void takeCounts(Record &record, const SharedCounts &counts,
                       Program &program) {
  record.totals = counts.totals();
  record.peakSite = indexOf(record.totals.peakSite);
  for (size_t i = 0; i < program.sites.size(); ++i)
    program.sites[i].counts = counts.sites()[i];
  for (const FaultCount &fault : counts.faults().first(record.totals.faults))
    record.faults.push_back(faultOf(fault, program));
  for (const EndCount &end : counts.ends().first(record.totals.ends))
    program.sites[end.allocation].ends.push_back(
        {int64_t(end.deallocation), end.times});
  for (const UseCount &use : counts.uses().first(record.totals.uses))
    program.sites[use.allocation].uses.push_back(int64_t(use.use));
  const auto lives = counts.lives().first(record.totals.lives);
  record.lives.assign(lives.begin(), lives.end());
  const auto points = counts.points().first(record.totals.points);
  record.curve.assign(points.begin(), points.end());
}

static bool anyHas(const std::vector<void *> &libraries, llvm::StringRef name) {
  return llvm::any_of(libraries, [&](void *library) {
    return dlsym(library, name.str().c_str()) ||
           dlsym(library, ("_mlir_ciface_" + name).str().c_str());
  });
}

/// The first op whose iterations or threads run side by side elsewhere.
static std::string parallelOpIn(ModuleOp module) {
  std::string found;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    const llvm::StringRef name = op->getName().getStringRef();
    static constexpr llvm::StringLiteral parallel[] = {
        "scf.parallel", "scf.forall",   "affine.parallel",
        "gpu.launch",   "omp.parallel", "async.execute"};
    if (!llvm::is_contained(parallel, name))
      return WalkResult::advance();
    found = name.str();
    return WalkResult::interrupt();
  });
  return found;
}

Record run(ModuleOp module, func::FuncOp entry, const trace::Trace &trace,
           const RunOptions &options) {
  Record record;
  record.entry = entry.getName().str();
  record.seed = options.seed;
  std::vector<void *> libraries;
  for (const std::string &library : options.libraries) {
    if (void *opened = dlopen(library.c_str(), RTLD_NOW)) {
      libraries.push_back(opened);
      record.libraries.push_back(llvm::sys::path::filename(library).str());
      continue;
    }
    record.end = RunEnd::notRun;
    record.failure = std::string("'--load': ") + dlerror() +
                     "; a library that is in no folder of the system's takes "
                     "its path, such as ./" +
                     llvm::sys::path::filename(library).str();
    return record;
  }
  record.serialized = parallelOpIn(module);
  PrepareOptions wanted{options.arguments, options.stubs, options.seed, {}};
  wanted.countsBlocks = options.lowering.empty();
  if (!libraries.empty())
    wanted.isLoaded = [&](llvm::StringRef name) {
      return anyHas(libraries, name);
    };
  Program program = prepare(module, entry, trace, wanted);
  record.arguments = program.arguments;
  record.stubs = program.stubs;
  SharedCounts counts(program.sites.size());
  if (!counts.isOpen() || !program.failure.empty()) {
    record.end = RunEnd::notRun;
    record.failure =
        counts.isOpen() ? program.failure : "the system gives no shared memory";
    record.lastSite = indexOf(program.failedSite);
    record.sites = std::move(program.sites);
    return record;
  }
  DialectRegistry registry;
  registerAllToLLVMIRTranslations(registry);
  module.getContext()->appendDialectRegistry(registry);
  Child child = Child::run(
      [&] { return runChild(module, program, counts, options); },
      options.libraries.empty() ? ChildOutput::discarded : ChildOutput::shared);
  if (!child.hasStarted()) {
    record.end = RunEnd::notRun;
    record.failure = std::string("cannot start a process: ") + strerror(errno);
    return record;
  }
  using Clock = std::chrono::steady_clock;
  Clock::time_point since = Clock::now();
  bool isRunning = false;
  // The program's own time begins when it does.
  std::optional<ChildEnd> end = child.waitWhile([&] {
    const Clock::time_point now = Clock::now();
    if (counts.totals().phase == RunPhase::running &&
        !std::exchange(isRunning, true))
      since = now;
    return std::chrono::duration<double>(now - since).count() <
           (isRunning ? options.seconds : options.compileSeconds);
  });
  if (!end)
    child.kill();
  takeCounts(record, counts, program);
  takeEnd(record, end, counts, options);
  record.sites = std::move(program.sites);
  return record;
}

} // namespace memreflens::execute
