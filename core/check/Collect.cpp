//===- core/check/Collect.cpp ---------------------------------------------===//

#include "core/check/Collect.h"
#include "core/check/Rules.h"
#include "core/explain/FateText.h"
#include "core/explain/RejectionText.h"
#include "core/explain/Words.h"
#include "core/trace/Plan.h"
#include "core/trace/Symbol.h"
#include "core/upstream/Defects.h"
#include "core/upstream/Release.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace memreflens {

using trace::Id;
using trace::none;

//===--- Places -----------------------------------------------------------===//

static uint64_t keyOf(trace::Range range) {
  return uint64_t(range.begin) << 32 | range.end;
}

FindingMaker::FindingMaker(const Lookup &lookup, FileReport &report)
    : lookup(lookup), trace(lookup.getTrace()), report(report) {
  for (const trace::Op &op : trace.ops)
    if (!op.generated)
      opsAt.try_emplace(keyOf(lookup.rangeOfOp(op.id)), op.id);
  for (const trace::Value &value : trace.values)
    if (!value.generated)
      valuesAt.try_emplace(keyOf(value.range), value.id);
}

Place placeOf(const Lookup &lookup, trace::Range range) {
  std::string_view text = lookup.getTrace().source.text;
  const LineIndex &lines = lookup.getLines();
  auto find = [&](uint32_t offset, uint32_t &line, uint32_t &column,
                  uint32_t &utf16) {
    LineColumn at = lines.lineColumn(offset);
    line = at.line;
    column = at.column;
    utf16 = utf16Length(text.substr(lines.startOf(line), column - 1)) + 1;
  };
  Place place;
  find(range.begin, place.line, place.column, place.utf16Column);
  find(std::max(range.begin, range.end), place.endLine, place.endColumn,
       place.utf16EndColumn);
  return place;
}

Place FindingMaker::placeAt(int64_t offset) const {
  if (offset < 0)
    return {};
  return placeOf({uint32_t(offset), uint32_t(offset)});
}

std::string FindingMaker::subjectAt(trace::Range range) const {
  auto nameOf = [&](Id value) {
    return withoutValueNumbers(lookup.name(value));
  };
  if (auto at = opsAt.find(keyOf(range)); at != opsAt.end()) {
    const trace::Op &op = *lookup.op(at->second);
    return op.results.empty() ? op.name
                              : op.name + " " + nameOf(op.results.front());
  }
  auto at = valuesAt.find(keyOf(range));
  return at == valuesAt.end() ? std::string() : nameOf(at->second);
}

std::string FindingMaker::opAt(trace::Range range) const {
  for (const trace::Op &op : trace.ops)
    if (!op.generated && op.nameRange.begin == range.begin)
      return std::string(std::string_view(op.name));
  return {};
}

Finding &FindingMaker::add(std::string_view rule, Id function,
                           trace::Range range, std::string message) {
  Finding finding;
  finding.rule = rule;
  finding.severity = findRule(rule)->severity;
  finding.message = std::move(message);
  if (const trace::Function *known = lookup.function(function)) {
    finding.function = known->title();
    finding.chunk = known->chunk;
    if (range.empty())
      range = known->nameRange;
  }
  finding.place = placeOf(range);
  finding.subject = subjectAt(range);
  report.findings.push_back(std::move(finding));
  return report.findings.back();
}

void FindingMaker::relate(Finding &finding, trace::Range range,
                          std::string text) const {
  finding.related.push_back(
      {range.empty() ? Place() : placeOf(range), std::move(text)});
}

//===--- Why functions are rejected ---------------------------------------===//

static std::string functionOf(const Lookup &lookup, Id function) {
  const trace::Function *known = lookup.function(function);
  return known ? trace::symbolText(known->title()) : "the module";
}

/// Where to look: at the branch that closes a loop, not at its function.
static trace::Range rangeOfRejection(const Lookup &lookup,
                                     const trace::Event &event,
                                     const trace::RejectionEvent &detail) {
  Id op = event.op;
  // A stage's own message names a place inside of the function.
  const trace::Function *function = lookup.function(event.function);
  for (const trace::Problem &problem : lookup.getTrace().problems)
    if (function && problem.function == event.function &&
        problem.severity == trace::Severity::error && problem.stage != none &&
        problem.range.begin != function->nameRange.begin &&
        problem.range.begin > function->range.begin &&
        function->range.contains(problem.range.begin))
      return {problem.range.begin,
              std::max(problem.range.end, problem.range.begin + 1)};
  bool pointsAway = detail.cause == trace::RejectionCause::loopInControlFlow ||
                    detail.cause == trace::RejectionCause::noUniqueOwnership;
  if (pointsAway && !detail.witnesses.empty())
    op = detail.witnesses.front();
  return lookup.rangeOfOp(op);
}

/// What helps where the pass makes IR that the op's definition does not allow.
static Advice adviceOnInvalid(std::string_view op) {
  const std::string name = "'" + std::string(op) + "'";
  if (op.starts_with("omp."))
    return "run the pipeline before the pass that makes " + name +
           " (convert-scf-to-openmp): it may hold one op only, and the "
           "pipeline adds a constant";
  if (op == "memref.realloc")
    return "where it gets smaller, take a memref.subview of the buffer, or a "
           "new buffer and memref.copy: expand-realloc makes an invalid branch "
           "of it";
  if (op == "vector.mask")
    return "run lower-vector-mask before the pipeline, or the pipeline before "
           "the pass that makes 'vector.mask': it may hold one op only, and "
           "the pipeline adds a constant";
  if (op.starts_with("affine."))
    return {"run lower-affine before the pipeline: 'scf.for' takes the "
            "ownership indicators that the pipeline adds"};
  if (op.starts_with("gpu."))
    return "pass the workgroup memory in, or run the pipeline before the pass "
           "that gives " +
           name +
           " attributions: the pipeline adds an ownership indicator to them";
  return "lower that op before the pipeline, or keep buffers out of what it "
         "carries";
}

static void addRejections(FindingMaker &maker, std::set<Id> &ops) {
  for (const trace::Event &event : maker.trace.events) {
    const auto *detail = std::get_if<trace::RejectionEvent>(&event.detail);
    if (!detail)
      continue;
    // Also the user's op that a stage made this one of.
    for (const trace::Op *op = maker.lookup.op(event.op);
         op && ops.insert(op->id).second;)
      op = maker.lookup.op(op->origin);
    Explanation why = explainRejection(maker.lookup, event.id);
    Finding &finding =
        maker.add(ruleOf(detail->cause), event.function,
                  rangeOfRejection(maker.lookup, event, *detail), why.sentence);
    finding.event = event.id;
    for (const Evidence &fact : why.evidence)
      maker.relate(finding, fact.range, fact.text);
    finding.remedies = why.remedies;
    if (detail->cause == trace::RejectionCause::invalidIr) {
      const std::string op =
          maker.opAt(rangeOfRejection(maker.lookup, event, *detail));
      finding.remedies.push_back(adviceOnInvalid(op));
      if (finding.subject.empty())
        finding.subject = op;
    }
  }
}

/// What ended a whole chunk, and is said of no function by a rejection.
static void addStageProblems(FindingMaker &maker) {
  std::set<Id> rejected;
  for (const trace::Event &event : maker.trace.events)
    if (std::holds_alternative<trace::RejectionEvent>(event.detail))
      rejected.insert(event.function);
  for (const trace::Problem &problem : maker.trace.problems) {
    if (problem.stage == none || rejected.contains(problem.function) ||
        problem.severity != trace::Severity::error)
      continue;
    Finding &finding = maker.add(problem.died          ? "stage-crashed"
                                 : problem.isInvalidIr ? "invalid-ir"
                                                       : "stage-failed",
                                 none, problem.range, problem.message);
    const trace::RunOptions &run = maker.trace.options;
    if (problem.message.starts_with("Yield operand #"))
      finding.remedies.push_back(
          "let the loop write into the tensor that it carries (outs on the "
          "iter_arg), so that it yields that one");
    if (problem.message.find("to_tensor ops without `restrict`") !=
        std::string::npos)
      finding.remedies.push_back("write 'restrict' on it, where no other "
                                 "memref of the program reaches "
                                 "that memory while the tensor is in use");
    if (problem.isInvalidIr && run.privateFunctionDynamicOwnership &&
        trace::isPass(run, problem.stage, trace::ownershipPass))
      finding.remedies.push_back(
          "run without private-function-dynamic-ownership, "
          "which changes no signature");
  }
}

/// Whether the function itself frees the buffer, or hands it on.
static bool isSettledByHand(const Lookup &lookup, Id buffer) {
  for (Id id : lookup.getIndex().usersOf(buffer)) {
    const trace::Op *user = lookup.op(id);
    if (user && !user->generated &&
        (user->name == "memref.dealloc" ||
         (user->isTerminator && user->successors.empty())))
      return true;
  }
  return false;
}

static void addUnprocessed(FindingMaker &maker,
                           const trace::Function &function) {
  size_t allocations = 0;
  for (Id id : maker.lookup.memrefsOf(function.id)) {
    const trace::Op *op = maker.lookup.op(maker.trace.values[id].op);
    allocations += op && op->name == "memref.alloc" &&
                   maker.lookup.reachesPass(op->id) &&
                   !isSettledByHand(maker.lookup, id);
  }
  if (allocations == 0)
    return;
  Finding &finding = maker.add(
      "not-processed", function.id, function.nameRange,
      "the pipeline handles func.func only: nothing deallocates the " +
          counted(allocations, "buffer") + " that " + function.opName + " " +
          trace::symbolText(function.title()) + " allocates");
  finding.remedies = {"run the pipeline before the outlining that makes " +
                          function.opName + "s",
                      "deallocate its buffers by hand"};
}

static void addUnreachable(FindingMaker &maker,
                           const trace::Function &function) {
  for (Id id : maker.lookup.memrefsOf(function.id)) {
    const trace::Value &value = maker.trace.values[id];
    const trace::Op *op = maker.lookup.op(value.op);
    const trace::Block *block = maker.lookup.block(value.block);
    if (op && op->name == "memref.alloc" && block && !block->reachable)
      maker.add("unreachable-allocation", function.id,
                maker.lookup.rangeOfOp(op->id),
                maker.lookup.name(id) + " is allocated in " +
                    maker.lookup.blockName(block->id) +
                    ", which is never reached; the pass never looks at it");
  }
}

/// Ways through the function's blocks; loops count once. Saturates.
static double waysThrough(const Lookup &lookup, const std::vector<Id> &blocks) {
  std::map<Id, double> ways;
  for (auto id = blocks.rbegin(); id != blocks.rend(); ++id) {
    double sum = 0;
    for (Id successor : lookup.block(*id)->successors)
      sum += ways.count(successor) ? ways[successor] : 1;
    ways[*id] = std::max(1.0, sum);
  }
  return blocks.empty() ? 1 : ways[blocks.front()];
}

static Advice liftAdvice() {
  return {"run lift-cf-to-scf before the pipeline", {RemedyPass::liftCfToScf}};
}

static void addFunctionRules(FindingMaker &maker,
                             const trace::Function &function) {
  if (function.status == trace::FunctionStatus::declaration)
    return;
  if (function.status == trace::FunctionStatus::notProcessed)
    return addUnprocessed(maker, function);
  addUnreachable(maker, function);
  if (function.upstreamReadsFreedMemory) {
    Finding &finding = maker.add(
        "upstream-reads-freed", function.id, function.nameRange,
        "mlir-opt up to " MEMREF_LENS_UPSTREAM_RELEASE
        " reads freed memory on " +
            trace::symbolText(function.title()) +
            ": a result of an op that the pass rebuilds is a live-out of its "
            "block (fixed by " +
            upstream::fixText(upstream::DefectId::staleLiveness) + ")");
    finding.remedies = {
        liftAdvice(),
        "use an LLVM with " +
            std::string(
                upstream::defectOf(upstream::DefectId::staleLiveness).fix)};
  }
  constexpr double many = 1 << 18;
  if (waysThrough(maker.lookup, function.blocks) >= many)
    maker
        .add("branching-explodes", function.id, function.nameRange,
             trace::symbolText(function.title()) +
                 " has so many ways through its blocks that MLIR's check for "
                 "loops, which takes each of them, takes long")
        .remedies = {liftAdvice()};
}

/// Tensors where buffers are expected, once a function.
static void addTensors(FindingMaker &maker) {
  for (const auto &[function, value] : firstTensors(maker.lookup))
    maker
        .add("tensor-left", function, maker.lookup.rangeOfValue(value->id),
             maker.lookup.name(value->id) +
                 " is a tensor: " + functionOf(maker.lookup, function) +
                 " is not bufferized, and only buffers are deallocated")
        .remedies = {tensorRemedy};
}

void addRejections(FindingMaker &maker, const CheckInputs &inputs) {
  std::set<Id> ops;
  addRejections(maker, ops);
  for (const AlsoRejected &also : inputs.rejected) {
    if (!ops.insert(also.op).second)
      continue;
    const trace::Op *op = maker.lookup.op(also.op);
    Id function =
        op ? maker.lookup.getIndex().functionOfBlock(op->block) : none;
    const trace::Function *known = maker.lookup.function(function);
    if (!known || known->status == trace::FunctionStatus::notProcessed ||
        known->status == trace::FunctionStatus::traced)
      continue;
    Finding &finding = maker.add(
        ruleOf(also.cause), function, maker.lookup.rangeOfOp(also.op),
        functionOf(maker.lookup, function) + " would be rejected for " +
            maker.lookup.opName(also.op) + ", too: " + also.message);
    finding.remedies = adviceAgainst(also.cause, op->name, also.remedies);
  }
  for (const trace::Function &function : maker.trace.functions)
    addFunctionRules(maker, function);
  addStageProblems(maker);
  addTensors(maker);
}

/// Whether the name says that it ends memory.
static bool soundsLikeRelease(std::string_view name) {
  static constexpr std::string_view words[] = {"free", "release", "dealloc",
                                               "destroy", "del"};
  std::string lower(name);
  for (char &letter : lower)
    letter = char(std::tolower(uint8_t(letter)));
  return std::ranges::any_of(words, [&](std::string_view word) {
    return lower.find(word) != std::string::npos;
  });
}

/// The first call of an external function that may end what another returned,
/// of each part of the file.
static std::map<Id, FindingNote> releasesIn(const FindingMaker &maker,
                                            const CheckInputs &inputs) {
  std::map<Id, FindingNote> found;
  for (const CallSite &call : inputs.calls) {
    const trace::Function *callee = maker.lookup.function(call.callee);
    if (callee && callee->status == trace::FunctionStatus::declaration &&
        soundsLikeRelease(callee->title()))
      found.try_emplace(
          callee->chunk,
          FindingNote{maker.placeOf(maker.lookup.rangeOfOp(call.op)),
                      trace::symbolText(callee->title()) +
                          " may deallocate it, too"});
  }
  return found;
}

/// The pass takes the caller for the owner of what a call returns: asked once
/// for each function.
static void addOpenOwnership(FindingMaker &maker, const CheckInputs &inputs) {
  std::set<Id> asked;
  for (const CallSite &call : inputs.calls) {
    const trace::Function *callee = maker.lookup.function(call.callee);
    const trace::Op *op = maker.lookup.op(call.op);
    const Id home =
        op ? maker.lookup.getIndex().functionOfBlock(op->block) : none;
    const trace::Function *caller = maker.lookup.function(home);
    if (!call.isOpen || !callee || !caller ||
        caller->status != trace::FunctionStatus::traced ||
        !asked.insert(callee->id).second)
      continue;
    const std::string name = trace::symbolText(callee->title());
    Finding &finding =
        maker.add("open-ownership", home, maker.lookup.rangeOfOp(op->id),
                  "what " + name +
                      " returns is taken for the caller's to deallocate; "
                      "nothing says that it is");
    finding.remedies = {
        "state it: --assume=fresh-results=" + name + ", or keeps-results=" +
            name + " if it keeps that itself, or returns-argument=" + name +
            ":0 if it is an argument",
        "what a function keeps is better passed in, or stored into a memref of "
        "memrefs that is passed: the pass deallocates all that it returns"};
  }
}

FileReport collectFindings(const Lookup &lookup, const CheckInputs &inputs) {
  FileReport report;
  report.file = lookup.getTrace().source.path;
  FindingMaker maker(lookup, report);
  addRejections(maker, inputs);
  addOpenOwnership(maker, inputs);
  report.releases = releasesIn(maker, inputs);
  addCosts(maker, inputs);
  addFaults(maker, inputs);
  addStaticRules(maker);
  finishReport(report);
  return report;
}

} // namespace memreflens
