//===- core/trace/EventText.cpp - one line an event -----------------------===//

#include "core/trace/Names.h"
#include "core/trace/Text.h"

#include <span>

namespace memreflens::trace {

std::string valueText(const Trace &trace, Id value) {
  if (value == none || trace.values[size_t(value)].name.empty())
    return "%?";
  return "%" + trace.values[size_t(value)].name;
}

std::string opText(const Trace &trace, Id id) {
  if (id == none)
    return "?";
  const Op &op = trace.ops[size_t(id)];
  std::string text;
  for (Id result : op.results)
    if (result != none)
      text += (text.empty() ? "" : ", ") + valueText(trace, result);
  return text.empty() ? op.name.str() : text + " = " + op.name;
}

std::string toText(const Trace &trace, const Ownership &ownership) {
  if (ownership.state != OwnershipState::unique)
    return std::string(nameOf(ownership.state));
  Id i1 = ownership.indicator;
  if (i1 == none || trace.values[size_t(i1)].constant < 0)
    return valueText(trace, i1);
  return trace.values[size_t(i1)].constant ? "true" : "false";
}

namespace {

class LineWriter {
public:
  LineWriter(const Trace &trace, const Event &event)
      : trace(trace), event(event) {}

  std::string line() {
    std::visit([&](const auto &detail) { write(detail); }, event.detail);
    return std::move(text);
  }

private:
  //===--- Pieces ---===//
  LineWriter &operator<<(std::string_view piece) {
    for (char c : piece)
      c == '\n' ? text += "\\n" : text += c;
    return *this;
  }
  LineWriter &operator<<(int64_t number) {
    return *this << std::string_view(std::to_string(number));
  }
  std::string value(Id id) const { return valueText(trace, id); }
  /// An i1: what it is, if that is known.
  std::string indicator(Id id) const {
    return toText(trace, Ownership{OwnershipState::unique, id});
  }
  std::string block(Id id) const {
    return id == none ? "?" : trace.blocks[size_t(id)].name;
  }
  template <class Elements, class Print>
  std::string list(const Elements &elements, Print print) const {
    std::string joined;
    for (const auto &element : elements)
      joined += (joined.empty() ? "" : ", ") + print(element);
    return joined;
  }
  std::string values(std::span<const Id> ids) const {
    return list(ids, [&](Id id) { return value(id); });
  }
  std::string indicators(std::span<const Id> ids) const {
    return list(ids, [&](Id id) { return indicator(id); });
  }
  std::string ops(std::span<const Id> ids) const {
    return list(ids, [&](Id id) { return opText(trace, id); });
  }
  std::string deallocs(std::span<const Id> numbers) const {
    return list(numbers, [](Id id) { return "#" + std::to_string(id); });
  }
  static std::string orNone(std::string joined) {
    return joined.empty() ? "none" : joined;
  }

  //===--- Lines ---===//
  void write(const StageEvent &stage) {
    *this << "stage " << event.stage
          << (stage.changed ? ": changed" : ": unchanged");
  }

  void write(const LivenessEvent &liveness) {
    *this << "live-in " << orNone(values(liveness.liveIn)) << "; live-out ";
    if (liveness.liveOut.empty())
      *this << "none";
    for (size_t i = 0; i < liveness.liveOut.size(); ++i) {
      *this << (i == 0 ? "" : ", ") << value(liveness.liveOut[i]);
      if (i < liveness.keptAliveBy.size() && liveness.keptAliveBy[i] != none)
        *this << " (for " << opText(trace, liveness.keptAliveBy[i]) << ")";
    }
    for (size_t i = 0; i < liveness.merged.size(); ++i)
      *this << (i == 0 ? "; merged with " : ", ") << block(liveness.merged[i]);
  }

  void write(const OwnershipEvent &change) {
    *this << "own " << value(event.value) << ": "
          << toText(trace, change.before) << " -> "
          << toText(trace, change.after) << " by " << nameOf(change.rule);
    bool joined = change.before.state != OwnershipState::uninitialized &&
                  change.with.state != OwnershipState::uninitialized;
    if (joined)
      *this << " with " << toText(trace, change.with);
    if (change.refinedFrom.state != OwnershipState::uninitialized)
      *this << "; upstream gives " << toText(trace, change.refinedFrom);
    for (size_t i = 0; i < change.inputs.size(); ++i) {
      *this << (i == 0 ? "; from " : ", ") << value(change.inputs[i]);
      if (i < change.inputOwnerships.size())
        *this << " (" << toText(trace, change.inputOwnerships[i]) << ")";
    }
  }

  void write(const CandidateEvent &candidate) {
    if (candidate.dropped == DropReason::notDropped)
      *this << "candidate " << value(event.value) << ": "
            << nameOf(candidate.source);
    else
      *this << "no candidate " << value(event.value) << ": "
            << nameOf(candidate.dropped) << ", " << nameOf(candidate.source);
  }

  void write(const RetainEvent &retain) {
    *this << "retain " << value(event.value) << " in dealloc ";
    const auto *dealloc =
        retain.dealloc == none
            ? nullptr
            : std::get_if<DeallocEvent>(
                  &trace.events[size_t(retain.dealloc)].detail);
    if (dealloc)
      *this << "#" << dealloc->dealloc;
    else
      *this << "?";
    *this << ": " << nameOf(retain.reason);
    if (retain.operandIndex >= 0)
      *this << " " << retain.operandIndex;
    if (retain.successor != none)
      *this << " to " << block(retain.successor);
    if (retain.edge >= 0)
      *this << ", edge " << retain.edge;
  }

  void write(const DeallocEvent &dealloc) {
    *this << "dealloc #" << dealloc.dealloc << " (" << values(dealloc.memrefs)
          << ") if (" << indicators(dealloc.conditions) << ") retain ("
          << values(dealloc.retained) << ") -> (" << indicators(dealloc.results)
          << ")";
    if (dealloc.edge >= 0)
      *this << ", edge " << dealloc.edge;
  }

  void write(const CloneEvent &clone) {
    *this << "clone " << value(event.value) << " -> " << value(clone.result)
          << (clone.conditional ? " unless " : ", ownership is ")
          << toText(trace, clone.ownership) << ", for " << nameOf(clone.demand);
    if (clone.because == none)
      return;
    const Event &because = trace.events[size_t(clone.because)];
    if (const auto *change = std::get_if<OwnershipEvent>(&because.detail))
      *this << "; because " << value(because.value) << " is "
            << toText(trace, change->after) << " by " << nameOf(change->rule);
  }

  void write(const SignatureEvent &added) {
    *this << "i1 " << indicator(added.indicator) << " for "
          << value(event.value) << ": " << nameOf(added.part) << " "
          << added.position;
    if (added.part == SignaturePart::blockArgument)
      *this << " of " << block(event.block);
    else if (event.op != none)
      *this << " of " << trace.ops[size_t(event.op)].name;
    if (added.edge >= 0)
      *this << ", edge " << added.edge;
  }

  void write(const RejectionEvent &rejection) {
    *this << "rejected at " << opText(trace, event.op) << ": "
          << nameOf(rejection.cause) << ", \"" << rejection.message << "\"";
    if (!rejection.witnesses.empty())
      *this << "; shown by " << ops(rejection.witnesses);
    for (const std::string &remedy : rejection.remedies)
      *this << "; remedy: " << remedy;
  }

  void write(const RewriteEvent &rewrite) {
    bool changed = !rewrite.erased.empty() || !rewrite.inserted.empty() ||
                   !rewrite.replaced.empty() || !rewrite.pattern.empty() ||
                   rewrite.facts.empty();
    if (changed)
      *this << "rewrite " << nameOf(rewrite.kind) << " ";
    else
      *this << "kept"; // Alias questions that allowed nothing.
    if (changed && rewrite.kind == RewriteKind::pattern)
      *this << (rewrite.pattern.empty() ? "(unnamed) "
                                        : rewrite.pattern.str() + " ");
    *this << (changed ? "at " : " ") << opText(trace, event.op);
    if (!rewrite.erased.empty())
      *this << "; erased " << ops(rewrite.erased);
    if (!rewrite.inserted.empty())
      *this << "; inserted " << ops(rewrite.inserted);
    for (size_t i = 0; i < rewrite.replaced.size(); ++i)
      *this << "; " << value(rewrite.replaced[i]) << " => "
            << indicator(rewrite.replacements[i]);
    if (!rewrite.deallocs.empty())
      *this << "; dealloc " << deallocs(rewrite.deallocs);
    for (const AliasFact &fact : rewrite.facts)
      write(fact);
  }
  void write(const AliasFact &fact) {
    *this << "; same allocation? " << value(fact.first) << ", "
          << value(fact.second) << ": " << nameOf(fact.answer) << " by "
          << nameOf(fact.rule) << (fact.refined ? " (refined)" : "");
    if (!fact.firstTerminals.empty() || !fact.secondTerminals.empty())
      *this << " {" << values(fact.firstTerminals) << "} {"
            << values(fact.secondTerminals) << "}";
  }

  void write(const LoweringEvent &lowering) {
    *this << "lower dealloc #" << lowering.dealloc << ": "
          << nameOf(lowering.lowering) << ", " << lowering.memrefCount
          << " deallocated, " << lowering.retainedCount << " retained";
    if (!lowering.freed.empty())
      *this << "; deallocates " << values(lowering.freed);
    if (!lowering.compared.empty())
      *this << "; compares " << values(lowering.compared);
    if (!lowering.ops.empty())
      *this << "; now " << ops(lowering.ops);
  }

  void write(const AliasEvent &alias) {
    *this << "alias " << value(event.value) << " of " << value(alias.source)
          << ": " << nameOf(alias.link);
    if (event.op != none)
      *this << " by " << trace.ops[size_t(event.op)].name;
  }

  void write(const CriticalEvent &critical) {
    *this << "critical " << value(event.value) << " in " << block(event.block)
          << ": " << nameOf(critical.reason) << ", alias of "
          << value(critical.source) << " from " << block(critical.from);
  }

  void write(const CopyEvent &copy) {
    *this << "copy " << value(copy.operand);
    if (copy.clone != copy.operand)
      *this << " -> " << value(copy.clone);
    else
      *this << " (a clone already)";
    *this << " for " << value(event.value);
    if (event.op != none)
      *this << ", at " << trace.ops[size_t(event.op)].name;
  }

  void write(const FreeEvent &free) {
    *this << (free.dealloc == none ? "no free of "
              : free.moved         ? "free moved of "
                                   : "free ")
          << value(event.value) << " in " << block(event.block);
    if (free.after != none)
      *this << ", after " << opText(trace, free.after);
    if (free.lastAlias != none && free.lastAlias != event.value)
      *this << " of " << value(free.lastAlias);
  }

  void write(const MoveEvent &move) {
    bool moves = move.to != none || move.outcome == MoveOutcome::promoted;
    if (event.value == none)
      *this << "move " << opText(trace, event.op);
    else
      *this << (moves ? "moves " : "stays ") << value(event.value);
    if (move.to != none)
      *this << " from " << block(event.block) << " to " << block(move.to);
    *this << ": " << nameOf(move.outcome);
    if (move.becauseValue != none)
      *this << " " << value(move.becauseValue);
    if (move.because != none)
      *this << " " << opText(trace, move.because);
    if (move.bytes >= 0)
      *this << ", " << move.bytes << " bytes";
    if (move.result >= 0)
      *this << ", result " << move.result;
    if (move.argument >= 0)
      *this << ", argument " << move.argument;
  }

  void write(const WarningEvent &warning) {
    *this << "warning " << nameOf(warning.warning) << " at "
          << opText(trace, event.op);
    if (warning.shown != none)
      *this << ", by " << opText(trace, warning.shown);
    if (warning.before != 0 || warning.after != 0)
      *this << ", " << int64_t(warning.before) << " to "
            << int64_t(warning.after);
  }

  void write(const InterfaceEvent &call) {
    *this << nameOf(call.call) << " of " << opText(trace, event.op);
    if (event.value != none)
      *this << " for " << value(event.value);
    if (call.indicator != none)
      *this << ": " << value(call.indicator);
    if (call.call == InterfaceCall::process && call.now != event.op)
      *this << (call.now == none ? ", gone" : ", replaced");
    *this << ", " << int64_t(call.made.size()) << " ops made, "
          << int64_t(call.changes.size()) << " changes";
  }

  const Trace &trace;
  const Event &event;
  std::string text;
};

} // namespace

std::string toText(const Trace &trace, const Event &event) {
  return LineWriter(trace, event).line();
}

} // namespace memreflens::trace
