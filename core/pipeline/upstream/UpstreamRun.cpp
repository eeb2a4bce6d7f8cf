//===- core/pipeline/upstream/UpstreamRun.cpp -----------------------------===//

#include "core/pipeline/upstream/UpstreamRun.h"
#include "core/pipeline/record/SourceNames.h"
#include "core/pipeline/stages/StandIn.h"
#include "core/process/Child.h"
#include "core/process/PipeReader.h"
#include "core/source/Identity.h"
#include "core/source/TraceIr.h"

#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace mlir;

namespace memreflens {

//===--- In the child -----------------------------------------------------===//

namespace {
/// A length, a kind and that many bytes, over the pipe.
struct MessageHeader {
  char kind = 0; // 'T' text of a stage, 'C' of copies on tensors, 'E' error
  int32_t stage = 0;
  int64_t offset = -1;
  uint64_t size = 0;
};

void sendMessage(int pipe, const MessageHeader &header,
                 const std::string &text) {
  writeAll(pipe, &header, sizeof(header));
  writeAll(pipe, text.data(), text.size());
}

/// Sends the module after each pass.
class Sender : public PassInstrumentation {
public:
  Sender(ModuleOp module, FallbackAsmResourceMap *resources, int pipe)
      : module(module), resources(resources), pipe(pipe) {}
  void runAfterPass(Pass *pass, Operation *op) override {
    if (op != module.getOperation())
      return;
    ++stage;
    sendText();
  }
  void sendText() {
    send('T', -1, printAsUpstream(module, {.resources = resources}));
  }
  void send(char kind, int64_t offset, const std::string &text) {
    sendMessage(pipe, {kind, stage, offset, text.size()}, text);
  }
  int stage = 0;

private:
  ModuleOp module;
  FallbackAsmResourceMap *resources;
  int pipe;
};
} // namespace

/// Leaves holes of many sizes in the heap, so that later objects are spread in
/// another way. The process is short-lived; nothing is given back at its end.
static void perturbHeap(unsigned seed) {
  if (seed == 0)
    return;
  std::vector<void *> blocks;
  for (unsigned index = 0; index < 4096; ++index)
    blocks.push_back(std::malloc(16 + (index * 37 * seed) % 700));
  for (unsigned index = 0; index < blocks.size(); index += 1 + seed % 3)
    std::free(blocks[index]);
}

static void runInChild(const trace::Source &source,
                       const DialectRegistry &registry,
                       const AnalysisRequest &analysis,
                       const UpstreamRequest &request, int pipe) {
  perturbHeap(request.perturbation);
  trace::Trace trace;
  std::unique_ptr<MLIRContext> context = makeContext(registry, analysis.run);
  ParsedDocument document =
      parseDocument(source, *context, analysis.parse, trace);
  const ParsedChunk &chunk = document.chunks[request.chunk];
  ModuleOp module = *chunk.module;
  auto sendCopies = [&](ModuleOp copied) {
    const std::string text =
        printAsUpstream(copied, {.resources = chunk.resources.get()});
    sendMessage(pipe, {'C', 0, -1, text.size()}, text);
    return text;
  };
  (void)runPrePasses(
      module, request.chunk, analysis.run, trace,
      {.onPass = {}, .asUpstream = true, .copiesText = sendCopies});
  module.walk([&](func::FuncOp function) {
    const trace::Function *known = tracedFunction(function, trace);
    if (known && !function.isExternal() &&
        request.standIns.contains(known->title()))
      makeStandIn(function);
  });
  PassManager passes(context.get(), "builtin.module");
  bufferization::BufferDeallocationPipelineOptions pipeline;
  pipeline.privateFunctionDynamicOwnership =
      analysis.run.privateFunctionDynamicOwnership;
  bufferization::buildBufferDeallocationPipeline(passes, pipeline);
  auto owned = std::make_unique<Sender>(module, chunk.resources.get(), pipe);
  Sender *sender = owned.get();
  passes.addInstrumentation(std::move(owned));
  sender->sendText();
  std::string message;
  int64_t offset = -1;
  ScopedDiagnosticHandler capture(context.get(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
        message.empty()) {
      message = diagnostic.str();
      offset = offsetOf(diagnostic.getLocation(), trace);
    }
    return success();
  });
  if (failed(passes.run(module))) {
    // The pass manager counts a pass as ended before it verifies.
    sender->stage = std::min(sender->stage + 1, stageCount);
    sender->send('E', offset, message);
  }
}

//===--- In the parent ----------------------------------------------------===//

static UpstreamResult receive(PipeReader &reader) {
  UpstreamResult result;
  MessageHeader header;
  while (reader.read(&header, sizeof(header))) {
    std::string text(header.size, '\0');
    if (!reader.read(text.data(), text.size()))
      break;
    if (header.kind != 'E') {
      (header.kind == 'T' ? result.texts : result.copies)
          .push_back(std::move(text));
      continue;
    }
    result.ending = UpstreamEnding::rejected;
    result.stage = header.stage;
    result.message = std::move(text);
    result.offset = header.offset;
  }
  return result;
}

/// Whatever were said of MLIR without having run it would be wrong.
[[noreturn]] static void endWithoutAnswer(const char *what, const char *why) {
  std::fprintf(stderr, "memref-lens: error: MLIR's own pipeline %s: %s\n", what,
               why);
  std::fflush(nullptr);
  endJob(71);
}

[[noreturn]] static void endUnstarted() {
  endWithoutAnswer("cannot be started", strerror(errno));
}

UpstreamResult runUpstream(const trace::Source &source,
                           const DialectRegistry &registry,
                           const AnalysisRequest &analysis,
                           const UpstreamRequest &request) {
  UpstreamResult result;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    endUnstarted();
  Child child = Child::run([&] {
    close(ends[0]);
    runInChild(source, registry, analysis, request, ends[1]);
    return 0;
  });
  if (!child.hasStarted())
    endUnstarted();
  close(ends[1]);
  PipeReader reader(ends[0], request.seconds);
  result = receive(reader);
  close(ends[0]);
  const ChildEnd end = reader.isLate() ? child.kill() : child.wait();
  // No pass does this to its own process.
  if (!reader.isLate() && end.signal == SIGKILL)
    endWithoutAnswer("was killed",
                     "by somebody, or by the system for want of memory");
  if (reader.isLate()) {
    result.ending = UpstreamEnding::timedOut;
    result.stage = int(result.texts.size());
  } else if (!end.hasReturned) {
    result.ending = UpstreamEnding::crashed;
    result.stage = int(result.texts.size());
    result.end = end;
  }
  return result;
}

} // namespace memreflens
