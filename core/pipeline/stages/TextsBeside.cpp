//===- core/pipeline/stages/TextsBeside.cpp -------------------------------===//

#include "core/pipeline/stages/TextsBeside.h"
#include "core/trace/StageTexts.h"

#include "llvm/Support/Threading.h"

using namespace mlir;

namespace memreflens {

/// Copies of the IR that may wait beside the one that is printed.
static constexpr size_t mostJobs = 4;

TextsBeside::TextsBeside(MLIRContext &context, bool leavesCopies,
                         FallbackAsmResourceMap *resources)
    : threads(context), leavesCopies(leavesCopies), resources(resources),
      thread([this] { work(); }) {}

TextsBeside::~TextsBeside() {
  std::lock_guard lock(mutex);
  isAtEnd = true;
  changed.notify_all();
}

void TextsBeside::add(ModuleOp module, bool changesNoMore, SourceNames names,
                      Named named, trace::Stage stage) {
  OwningOpRef<ModuleOp> copy = changesNoMore ? ModuleOp() : module.clone();
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return jobs.size() < mostJobs; });
  jobs.push_back({changesNoMore ? module : copy.get(), std::move(copy),
                  std::move(names), named, std::move(stage)});
  changed.notify_all();
}

std::string TextsBeside::textOf(const Job &job) const {
  return job.names.putInto(
      printTagged(job.module, {Verified::yes, job.named, resources}));
}

std::vector<trace::Stage> TextsBeside::take(std::string &lastText) {
  std::unique_lock lock(mutex);
  // From the other end, so that the thread meets as few of them as can be.
  for (size_t left = jobs.size(); left > 0;
       left = std::min(left, jobs.size())) {
    Job &job = jobs[--left];
    if (std::exchange(job.isTaken, true))
      continue;
    lock.unlock();
    std::string text = textOf(job);
    lock.lock();
    job.text = std::move(text);
    changed.notify_all();
  }
  changed.wait(lock, [&] { return jobs.empty(); });
  lastText = std::move(previous);
  return std::exchange(done, {});
}

void TextsBeside::work() {
  // For who looks at the process.
  llvm::set_thread_name("texts");
  while (true) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return isAtEnd || !jobs.empty(); });
    if (jobs.empty())
      return;
    Job &job = jobs.front();
    const bool isTaken = std::exchange(job.isTaken, true);
    if (isTaken)
      changed.wait(lock, [&] { return job.text.has_value(); });
    lock.unlock();
    std::string text = isTaken ? std::move(*job.text) : textOf(job);
    trace::Stage stage = std::move(job.stage);
    stage.changed = stage.number == 0 || text != previous;
    if (stage.changed)
      trace::keepText(stage, previous, text);
    previous = std::move(text);
    if (leavesCopies)
      (void)job.copy.release();
    job.copy = {};
    lock.lock();
    done.push_back(std::move(stage));
    jobs.pop_front();
    changed.notify_all();
  }
}

} // namespace memreflens
