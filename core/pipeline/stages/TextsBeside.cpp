//===- core/pipeline/stages/TextsBeside.cpp -------------------------------===//

#include "core/pipeline/stages/TextsBeside.h"
#include "core/trace/StageTexts.h"

#include "llvm/Support/Threading.h"

using namespace mlir;

namespace memreflens {

/// Copies of the IR that may wait beside the one that is printed.
static constexpr size_t mostJobs = 4;

TextsBeside::TextsBeside(MLIRContext &context)
    : threads(context), thread([this] { work(); }) {}

TextsBeside::~TextsBeside() {
  std::lock_guard lock(mutex);
  isAtEnd = true;
  changed.notify_all();
}

void TextsBeside::add(OwningOpRef<ModuleOp> copy, SourceNames names,
                      Named named, trace::Stage stage) {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return jobs.size() < mostJobs; });
  jobs.push_back({std::move(copy), std::move(names), named, std::move(stage)});
  changed.notify_all();
}

std::vector<trace::Stage> TextsBeside::take(std::string &lastText) {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return jobs.empty(); });
  lastText = previous;
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
    lock.unlock();
    std::string text = job.names.putInto(
        printTagged(job.copy->getOperation(), Verified::yes, job.named));
    trace::Stage stage = std::move(job.stage);
    stage.changed = stage.number == 0 || text != previous;
    if (stage.changed)
      trace::keepText(stage, previous, text);
    previous = std::move(text);
    job.copy = {};
    lock.lock();
    done.push_back(std::move(stage));
    jobs.pop_front();
    changed.notify_all();
  }
}

} // namespace memreflens
