//===- core/trace/Text.cpp - a trace as short, stable text ----------------===//
//
// Groups the lines of EventText.cpp. Blocks come in program order, those of
// nested regions after the op's own block; events keep their order.
//
//===----------------------------------------------------------------------===//

#include "core/trace/Text.h"
#include "core/trace/Names.h"

#include <map>

namespace memreflens::trace {

namespace {

class TextWriter {
public:
  explicit TextWriter(const Trace &trace)
      : trace(trace), rank(trace.blocks.size(), -1) {}

  std::string write() {
    orderBlocks();
    for (const Event &event : trace.events) {
      Id chunk = event.function == none
                     ? event.chunk
                     : trace.functions[size_t(event.function)].chunk;
      events[{chunk, event.function}][event.stage][rankOf(event.block)]
          .push_back(event.id);
    }
    writeOptions();
    writeProblems(none, none, 0);
    writeGroup(none, none, 0);
    for (const Chunk &chunk : trace.chunks)
      writeChunk(chunk);
    return std::move(text);
  }

private:
  using ByBlock = std::map<int64_t, std::vector<Id>>;

  void line(int indent, std::string_view content) {
    text.append(size_t(indent) * 2, ' ');
    for (char c : content)
      c == '\n' ? text += "\\n" : text += c;
    text += '\n';
  }

  //===--- Order of blocks ---===//
  void orderBlocks() {
    std::vector<Id> stack;
    auto push = [&](const std::vector<Id> &blocks) {
      stack.insert(stack.end(), blocks.rbegin(), blocks.rend());
    };
    for (auto f = trace.functions.rbegin(); f != trace.functions.rend(); ++f)
      push(f->blocks);
    while (!stack.empty()) {
      Id block = stack.back();
      stack.pop_back();
      if (block == none || rank[size_t(block)] >= 0)
        continue;
      rank[size_t(block)] = int64_t(ordered.size());
      ordered.push_back(block);
      const std::vector<Id> &ops = trace.blocks[size_t(block)].ops;
      for (auto op = ops.rbegin(); op != ops.rend(); ++op) {
        const auto &regions = trace.ops[size_t(*op)].regions;
        for (auto region = regions.rbegin(); region != regions.rend(); ++region)
          push(*region);
      }
    }
    for (const Block &block : trace.blocks)
      if (rank[size_t(block.id)] < 0) {
        rank[size_t(block.id)] = int64_t(ordered.size());
        ordered.push_back(block.id);
      }
  }
  int64_t rankOf(Id block) const {
    return block == none ? -1 : rank[size_t(block)];
  }

  //===--- Lines ---===//
  void writeOptions() {
    const RunOptions &options = trace.options;
    if (options.privateFunctionDynamicOwnership)
      line(0, "option private-function-dynamic-ownership");
    if (options.allowUnregisteredDialect)
      line(0, "option allow-unregistered-dialect");
    if (options.unregistered != UnregisteredOps::reject)
      line(0,
           "option unregistered " + std::string(nameOf(options.unregistered)));
    if (options.bufferize)
      line(0, "option bufferize " + options.bufferizeOptions);
    if (!options.prePipeline.empty())
      line(0, "option pre " + options.prePipeline);
    if (!options.function.empty())
      line(0, "option function " + options.function);
  }

  void writeChunk(const Chunk &chunk) {
    if (trace.chunks.size() > 1 || !chunk.parsed)
      line(0, "chunk " + std::to_string(chunk.id) +
                  (chunk.parsed ? "" : ": not parsed"));
    writeProblems(chunk.id, none, 0);
    writeGroup(chunk.id, none, 0);
    for (Id id : chunk.functions)
      writeFunction(trace.functions[size_t(id)]);
  }

  void writeFunction(const Function &function) {
    std::string head = function.opName + " @" + function.name +
                       (function.isPublic ? " (public): " : " (private): ");
    head += nameOf(function.status);
    if (function.lastGoodStage != lastStage(trace.options))
      head += ", good up to stage " + std::to_string(function.lastGoodStage);
    if (function.dynamicOwnership)
      head += ", dynamic ownership";
    if (function.upstreamReadsFreedMemory)
      head += ", upstream reads freed memory";
    line(0, head);
    writeProblems(function.chunk, function.id, 1);
    writeGroup(function.chunk, function.id, 1);
  }

  void writeProblems(Id chunk, Id function, int indent) {
    for (const Problem &problem : trace.problems)
      if (problem.chunk == chunk && problem.function == function)
        writeProblem(problem, indent);
  }
  void writeProblem(const Problem &problem, int indent) {
    std::string stage = problem.stage == none
                            ? ""
                            : " in stage " + std::to_string(problem.stage);
    line(indent, std::string(nameOf(problem.severity)) + stage + ": " +
                     problem.message);
    if (!problem.remedy.empty())
      line(indent + 1, "remedy: " + problem.remedy);
    for (const Problem &note : problem.notes)
      writeProblem(note, indent + 1);
  }

  void writeGroup(Id chunk, Id function, int indent) {
    auto group = events.find({chunk, function});
    if (group == events.end())
      return;
    for (const auto &[stage, blocks] : group->second) {
      // An event of the stage itself is its own heading.
      bool heading =
          blocks.size() > 1 || blocks.begin()->first != -1 || function != none;
      if (heading)
        line(indent,
             "stage " + std::to_string(stage) + stageName(chunk, stage));
      for (const auto &[position, ids] : blocks)
        writeBlock(position, ids, heading ? indent + 1 : indent,
                   heading ? "" : stageName(chunk, stage));
    }
  }
  void writeBlock(int64_t position, const std::vector<Id> &ids, int indent,
                  const std::string &suffix) {
    if (position >= 0)
      line(indent++, blockText(ordered[size_t(position)]));
    for (Id id : ids)
      line(indent, toText(trace, trace.events[size_t(id)]) + suffix);
  }
  std::string stageName(Id chunk, int stage) const {
    if (chunk == none)
      return "";
    for (const Stage &known : trace.chunks[size_t(chunk)].stages)
      if (known.number == stage && !known.name.empty())
        return ", " + known.name +
               (known.agreement == Agreement::notCompared
                    ? ""
                    : ", " + std::string(nameOf(known.agreement)) +
                          (known.difference.empty() ? "" : ": ") +
                          known.difference);
    return "";
  }
  std::string blockText(Id id) const {
    const Block &block = trace.blocks[size_t(id)];
    std::string name = block.name.empty() ? "^?" : block.name;
    bool nested =
        block.parentOp != none &&
        (block.function == none ||
         trace.functions[size_t(block.function)].op != block.parentOp);
    if (nested)
      name += " in " + opText(trace, block.parentOp);
    if (nested && trace.ops[size_t(block.parentOp)].regions.size() > 1)
      name += ", region " + std::to_string(block.region);
    return block.reachable ? name : name + " (unreachable)";
  }

  const Trace &trace;
  std::map<std::pair<Id, Id>, std::map<int, ByBlock>> events;
  /// Blocks in the order of the text, and each one's place there.
  std::vector<Id> ordered;
  std::vector<int64_t> rank;
  std::string text;
};

} // namespace

std::string toText(const Trace &trace) { return TextWriter(trace).write(); }

} // namespace memreflens::trace
