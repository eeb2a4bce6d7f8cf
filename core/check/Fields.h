//===- core/check/Fields.h - every field of a report, listed once ---------===//
//
// For each struct of Finding.h and Cause.h: its fields, and their names in
// JSON. The JSON that `check` writes, its reader, and what one process hands
// over to another all walk these lists, so they cannot disagree. `show` is one
// of them:
//
//   show("line", place.line)          every report has it
//   show.later("use", part.use, ...)  reports of earlier versions do not; what
//                                     stands for it then, if not its default
//   show.where(is, "run", cause.run)  left out of JSON where it is not there
//   show.advice(finding.remedies)     three lists in JSON, side by side
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_CHECK_FIELDS_H
#define MEMREFLENS_CHECK_FIELDS_H

#include "core/check/Finding.h"

#include <type_traits>

namespace memreflens::fields {

/// The record itself, to be written or to be filled in.
template <class Record, class Wanted>
concept Of = std::is_same_v<std::remove_const_t<Record>, Wanted>;

void each(auto &show, Of<Place> auto &place) {
  show("line", place.line);
  show("column", place.column);
  show("endLine", place.endLine);
  show("endColumn", place.endColumn);
  show.later("utf16Column", place.utf16Column);
  show.later("utf16EndColumn", place.utf16EndColumn);
}

void each(auto &show, Of<FindingNote> auto &note) {
  show("text", note.text);
  show("place", note.place);
}

void each(auto &show, Of<NumberChange> auto &change) {
  show("what", change.what);
  show("before", change.before);
  show("after", change.after);
  show("text", change.text);
  show.later("now", change.now);
}

void each(auto &show, Of<Acceptance> auto &acceptance) {
  show("wasRejected", acceptance.wasRejected);
  show("clones", acceptance.clones);
  show("runTimeChecks", acceptance.runTimeChecks);
  show("helperCalls", acceptance.helperCalls);
}

void each(auto &show, Of<TriedRemedy> auto &tried) {
  show.later("id", tried.id);
  show("remedy", tried.remedy);
  show.later("label", tried.label);
  show.later("passes", tried.passes);
  show("outcome", tried.outcome);
  show("pipeline", tried.pipeline);
  show.later("commands", tried.commands);
  show.later("code", tried.code);
  show.later("edit", tried.edit);
  show("helps", tried.helps);
  show.later("allPaths", tried.allPaths);
  show.later("changes", tried.changes);
  show.where(tried.acceptance.has_value(), "acceptance", tried.acceptance);
}

void each(auto &show, Of<CauseRun> auto &run) {
  show("compared", run.compared);
  show("same", run.same);
}

/// Beside the fields of their cause.
void each(auto &show, Of<CauseCosts> auto &costs) {
  show("clones", costs.clones);
  show("cloneBytes", costs.cloneBytes);
  show("runTimeChecks", costs.runTimeChecks);
  show("helperCalls", costs.helperCalls);
  show("compares", costs.compares);
  show("conditionalDeallocs", costs.conditionalDeallocs);
  show("lateDeallocs", costs.lateDeallocs);
  show("lateBytes", costs.lateBytes);
  show.later("loopAllocations", costs.loopAllocations);
  show.later("executedAllocations", costs.executedAllocations);
  show.later("executedBytes", costs.executedBytes);
  show("findings", costs.findings);
  show.later("growingClones", costs.growingClones);
}

void each(auto &show, Of<Cause> auto &cause) {
  show("kind", cause.kind);
  show("function", cause.function);
  show("chunk", cause.chunk);
  show("rule", cause.rule);
  show("sentence", cause.sentence);
  show.later("namesPlace", cause.namesPlace);
  show("place", cause.place);
  show("evidence", cause.evidence);
  each(show, cause.costs);
  show("alsoNeeded", cause.alsoNeeded);
  show.where(cause.run.has_value(), "run", cause.run);
}

void each(auto &show, Of<Finding> auto &finding) {
  show("rule", finding.rule);
  show("severity", finding.severity);
  show("file", finding.file);
  show("function", finding.function);
  show.later("chunk", finding.chunk);
  show("message", finding.message);
  show("place", finding.place);
  show("related", finding.related);
  show("path", finding.path);
  show.advice(finding.remedies);
  show.later("tried", finding.tried);
  show.later("cause", finding.cause);
  show.later("subject", finding.subject);
  show("fingerprint", finding.fingerprint);
  // Of a version that had no other.
  show.later("oldFingerprint", finding.oldFingerprint, finding.fingerprint);
}

void each(auto &show, Of<PeakPart> auto &part) {
  show("name", part.name);
  show("bytes", part.bytes);
  show("place", part.place);
  show("use", part.use);
  show("why", part.why);
}

/// Of a peak.
void each(auto &show, Of<std::pair<std::string, uint64_t>> auto &cause) {
  show("cause", cause.first);
  show("bytes", cause.second);
}

void each(auto &show, Of<PeakCosts> auto &costs) {
  show("at", costs.at);
  show("parts", costs.parts);
  show("others", costs.others);
  show("otherBytes", costs.otherBytes);
  show("causes", costs.causes);
  show("curve", costs.curve);
  show.later("origin", costs.origin);
  show.later("expression", costs.expression);
}

void each(auto &show, Of<SpaceCosts> auto &costs) {
  show("space", costs.space);
  show("name", costs.name);
  show("peakBytes", costs.peakBytes);
  show("peakIsLowerBound", costs.peakIsLowerBound);
  show("globalBytes", costs.globalBytes);
  show("capacityBytes", costs.capacity);
  show("peak", costs.peak);
}

void each(auto &show, Of<ExecutedCosts> auto &costs) {
  show("allocations", costs.allocations);
  show("allocatedBytes", costs.allocatedBytes);
  show("copies", costs.copies);
  show("copiedBytes", costs.copiedBytes);
  show("isAtMost", costs.isAtMost);
  show("isCalled", costs.isCalled);
  show("words", costs.words);
  show.later("growth", costs.growth);
}

void each(auto &show, Of<FunctionCosts> auto &costs) {
  show("function", costs.function);
  show("place", costs.place);
  show("clones", costs.clones);
  show("runTimeChecks", costs.runTimeChecks);
  show("helperCalls", costs.helperCalls);
  show("peakBytes", costs.peakBytes);
  show.later("unsizedBuffers", costs.unsizedBuffers);
  show.later("peakIsLowerBound", costs.peakIsLowerBound,
             costs.unsizedBuffers > 0);
  show.later("peak", costs.peak);
  show.later("spaces", costs.spaces);
  show.later("aCall", costs.aCall);
  show.later("allocations", costs.allocations);
  show.later("frees", costs.frees);
  show.later("conditionalFrees", costs.conditionalFrees);
  show.later("ownershipResults", costs.ownershipResults);
  show.later("status", costs.status);
  show.later("digest", costs.digest);
  show.later("decisions", costs.decisions);
}

void each(auto &show, Of<Exploration> auto &exploration) {
  show("function", exploration.function);
  show("bounds", exploration.bounds);
  show("complete", exploration.complete);
  show.later("assumed", exploration.assumed);
  show.later("unfollowed", exploration.unfollowed);
  show.later("place", exploration.place);
}

void each(auto &show, Of<TensorCauseText> auto &cause) {
  show("rule", cause.rule);
  show("sentence", cause.sentence);
  show("costs", cause.costs);
  show("place", cause.place);
  show("advice", cause.advice);
}

void each(auto &show, Of<TensorReport> auto &tensors) {
  show("counts", tensors.counts);
  show.later("slow", tensors.slow);
  show.later("bounded", tensors.bounded);
  show("causes", tensors.causes);
}

void each(auto &show, Of<FileReport> auto &report) {
  show("file", report.file);
  show("unreadable", report.unreadable);
  show.later("unparsed", report.unparsed);
  show.where(!report.tensors.counts.empty(), "tensors", report.tensors);
  show("findings", report.findings);
  show.later("causes", report.causes);
  show("costs", report.costs);
  show.later("rejectedAllocations", report.rejectedAllocations);
  show("explorations", report.explorations);
  show.later("untried", report.untried);
}

} // namespace memreflens::fields

#endif // MEMREFLENS_CHECK_FIELDS_H
