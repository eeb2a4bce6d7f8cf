//===- core/trace/Fields.h - every field of the trace, listed once --------===//
//
// For each struct of Model.h and Event.h: its fields, their names in JSON, and
// what an id in them refers to. The writer, the reader, the validator and the
// test of docs/trace.schema.json all walk these lists, so they cannot disagree;
// a field that is missing here does not compile.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TRACE_FIELDS_H
#define MEMREFLENS_TRACE_FIELDS_H

#include "core/trace/Event.h"
#include "core/trace/Model.h"

#include <limits>
#include <tuple>
#include <type_traits>

namespace memreflens::trace::fields {

/// What an id refers to; `self` is the id of the element itself.
enum class Ref : uint8_t {
  notAnId,
  self,
  chunk,
  function,
  block,
  op,
  value,
  event,
  dealloc
};

/// Integers that a field may hold.
struct Bounds {
  int64_t min = std::numeric_limits<int64_t>::min();
  int64_t max = std::numeric_limits<int64_t>::max();
};

template <class Owner, class Member> struct Field {
  const char *name;
  Member Owner::*member;
  Ref ref = Ref::notAnId;
  Bounds bounds = {};
  /// Written even where it equals the default.
  bool required = false;
};

template <class Owner, class Member>
constexpr Field<Owner, Member> plain(const char *name, Member Owner::*member) {
  return {name, member};
}
template <class Owner, class Member>
constexpr Field<Owner, Member> always(const char *name, Member Owner::*member) {
  return {name, member, Ref::notAnId, {}, true};
}
/// An index into one of the trace's vectors, or `none`; or a vector of those.
template <class Owner, class Member>
constexpr Field<Owner, Member> id(const char *name, Member Owner::*member,
                                  Ref ref) {
  return {name, member, ref, {none, std::numeric_limits<Id>::max()}};
}
template <class Owner>
constexpr Field<Owner, Id> self(const char *name, Id Owner::*member) {
  return {name, member, Ref::self, {0, std::numeric_limits<Id>::max()}, true};
}
template <class Owner, class Member>
constexpr Field<Owner, Member>
number(const char *name, Member Owner::*member, int64_t min,
       int64_t max = std::numeric_limits<Id>::max(), bool required = false) {
  return {name, member, Ref::notAnId, {min, max}, required};
}

template <class T> constexpr auto of();

template <> constexpr auto of<Ownership>() {
  return std::tuple{plain("state", &Ownership::state),
                    id("indicator", &Ownership::indicator, Ref::value)};
}

template <> constexpr auto of<LivenessEvent>() {
  return std::tuple{id("liveIn", &LivenessEvent::liveIn, Ref::value),
                    id("liveOut", &LivenessEvent::liveOut, Ref::value),
                    id("keptAliveBy", &LivenessEvent::keptAliveBy, Ref::op),
                    plain("reshaped", &LivenessEvent::reshaped),
                    id("merged", &LivenessEvent::merged, Ref::block),
                    id("terminator", &LivenessEvent::terminator, Ref::op),
                    id("successors", &LivenessEvent::successors, Ref::block)};
}

template <> constexpr auto of<OwnershipEvent>() {
  return std::tuple{plain("rule", &OwnershipEvent::rule),
                    plain("before", &OwnershipEvent::before),
                    plain("with", &OwnershipEvent::with),
                    plain("after", &OwnershipEvent::after),
                    id("inputs", &OwnershipEvent::inputs, Ref::value),
                    plain("inputOwnerships", &OwnershipEvent::inputOwnerships),
                    plain("refinedFrom", &OwnershipEvent::refinedFrom)};
}

template <> constexpr auto of<CandidateEvent>() {
  return std::tuple{plain("source", &CandidateEvent::source),
                    plain("dropped", &CandidateEvent::dropped)};
}

template <> constexpr auto of<RetainEvent>() {
  return std::tuple{plain("reason", &RetainEvent::reason),
                    id("successor", &RetainEvent::successor, Ref::block),
                    number("edge", &RetainEvent::edge, -1),
                    number("operandIndex", &RetainEvent::operandIndex, -1),
                    id("dealloc", &RetainEvent::dealloc, Ref::event)};
}

template <> constexpr auto of<DeallocEvent>() {
  return std::tuple{id("dealloc", &DeallocEvent::dealloc, Ref::dealloc),
                    number("edge", &DeallocEvent::edge, -1),
                    id("memrefs", &DeallocEvent::memrefs, Ref::value),
                    id("bases", &DeallocEvent::bases, Ref::value),
                    id("conditions", &DeallocEvent::conditions, Ref::value),
                    id("retained", &DeallocEvent::retained, Ref::value),
                    id("results", &DeallocEvent::results, Ref::value)};
}

template <> constexpr auto of<CloneEvent>() {
  return std::tuple{id("result", &CloneEvent::result, Ref::value),
                    plain("demand", &CloneEvent::demand),
                    plain("conditional", &CloneEvent::conditional),
                    plain("ownership", &CloneEvent::ownership),
                    id("because", &CloneEvent::because, Ref::event)};
}

template <> constexpr auto of<SignatureEvent>() {
  return std::tuple{plain("part", &SignatureEvent::part),
                    id("indicator", &SignatureEvent::indicator, Ref::value),
                    number("position", &SignatureEvent::position, -1),
                    number("edge", &SignatureEvent::edge, -1)};
}

template <> constexpr auto of<RejectionEvent>() {
  return std::tuple{plain("cause", &RejectionEvent::cause),
                    plain("message", &RejectionEvent::message),
                    id("witnesses", &RejectionEvent::witnesses, Ref::op),
                    plain("remedies", &RejectionEvent::remedies)};
}

template <> constexpr auto of<AliasFact>() {
  return std::tuple{
      id("first", &AliasFact::first, Ref::value),
      id("second", &AliasFact::second, Ref::value),
      plain("answer", &AliasFact::answer),
      plain("rule", &AliasFact::rule),
      id("firstTerminals", &AliasFact::firstTerminals, Ref::value),
      id("secondTerminals", &AliasFact::secondTerminals, Ref::value),
      plain("refined", &AliasFact::refined)};
}

template <> constexpr auto of<RewriteEvent>() {
  return std::tuple{// "kind" is the event's.
                    plain("rewrite", &RewriteEvent::kind),
                    plain("pattern", &RewriteEvent::pattern),
                    id("erased", &RewriteEvent::erased, Ref::op),
                    id("inserted", &RewriteEvent::inserted, Ref::op),
                    id("replaced", &RewriteEvent::replaced, Ref::value),
                    id("replacements", &RewriteEvent::replacements, Ref::value),
                    id("deallocs", &RewriteEvent::deallocs, Ref::dealloc),
                    plain("facts", &RewriteEvent::facts)};
}

template <> constexpr auto of<LoweringEvent>() {
  return std::tuple{id("dealloc", &LoweringEvent::dealloc, Ref::dealloc),
                    plain("lowering", &LoweringEvent::lowering),
                    plain("memrefCount", &LoweringEvent::memrefCount),
                    plain("retainedCount", &LoweringEvent::retainedCount),
                    id("ops", &LoweringEvent::ops, Ref::op),
                    id("freed", &LoweringEvent::freed, Ref::value),
                    id("compared", &LoweringEvent::compared, Ref::value)};
}

template <> constexpr auto of<StageEvent>() {
  return std::tuple{plain("changed", &StageEvent::changed)};
}

template <> constexpr auto of<AliasEvent>() {
  return std::tuple{id("source", &AliasEvent::source, Ref::value),
                    plain("link", &AliasEvent::link)};
}

template <> constexpr auto of<CriticalEvent>() {
  return std::tuple{id("source", &CriticalEvent::source, Ref::value),
                    id("from", &CriticalEvent::from, Ref::block),
                    plain("reason", &CriticalEvent::reason)};
}

template <> constexpr auto of<CopyEvent>() {
  return std::tuple{id("operand", &CopyEvent::operand, Ref::value),
                    id("clone", &CopyEvent::clone, Ref::value)};
}

template <> constexpr auto of<FreeEvent>() {
  return std::tuple{id("after", &FreeEvent::after, Ref::op),
                    id("lastAlias", &FreeEvent::lastAlias, Ref::value),
                    id("dealloc", &FreeEvent::dealloc, Ref::op),
                    plain("moved", &FreeEvent::moved)};
}

template <> constexpr auto of<MoveEvent>() {
  return std::tuple{plain("outcome", &MoveEvent::outcome),
                    id("to", &MoveEvent::to, Ref::block),
                    id("because", &MoveEvent::because, Ref::op),
                    id("becauseValue", &MoveEvent::becauseValue, Ref::value),
                    number("bytes", &MoveEvent::bytes, -1,
                           std::numeric_limits<int64_t>::max()),
                    number("result", &MoveEvent::result, -1),
                    number("argument", &MoveEvent::argument, -1)};
}

template <> constexpr auto of<InterfaceEvent>() {
  return std::tuple{plain("call", &InterfaceEvent::call),
                    id("now", &InterfaceEvent::now, Ref::op),
                    id("made", &InterfaceEvent::made, Ref::op),
                    id("indicator", &InterfaceEvent::indicator, Ref::value),
                    id("changes", &InterfaceEvent::changes, Ref::event)};
}

template <> constexpr auto of<WarningEvent>() {
  return std::tuple{plain("warning", &WarningEvent::warning),
                    id("shown", &WarningEvent::shown, Ref::op),
                    number("before", &WarningEvent::before, 0,
                           std::numeric_limits<int64_t>::max()),
                    number("after", &WarningEvent::after, 0,
                           std::numeric_limits<int64_t>::max())};
}

template <> constexpr auto of<Event>() {
  return std::tuple{self("id", &Event::id),
                    number("stage", &Event::stage, 0, maxStage, true),
                    id("chunk", &Event::chunk, Ref::chunk),
                    id("function", &Event::function, Ref::function),
                    id("block", &Event::block, Ref::block),
                    id("op", &Event::op, Ref::op),
                    id("value", &Event::value, Ref::value)};
}

template <> constexpr auto of<Source>() {
  return std::tuple{plain("path", &Source::path), plain("text", &Source::text)};
}

template <> constexpr auto of<RunOptions>() {
  return std::tuple{
      plain("privateFunctionDynamicOwnership",
            &RunOptions::privateFunctionDynamicOwnership),
      plain("allowUnregisteredDialect", &RunOptions::allowUnregisteredDialect),
      plain("bufferize", &RunOptions::bufferize),
      plain("bufferizeOptions", &RunOptions::bufferizeOptions),
      plain("prePipeline", &RunOptions::prePipeline),
      plain("function", &RunOptions::function),
      plain("pipeline", &RunOptions::pipeline),
      plain("passes", &RunOptions::passes),
      plain("refineDistinctObjects", &RunOptions::refineDistinctObjects),
      plain("freshResults", &RunOptions::freshResults),
      plain("noCapture", &RunOptions::noCapture),
      plain("contracts", &RunOptions::contracts),
      plain("sizes", &RunOptions::sizes),
      plain("spaces", &RunOptions::spaces),
      plain("aliases", &RunOptions::aliases),
      plain("unregistered", &RunOptions::unregistered),
      number("skipSimplificationOver", &RunOptions::skipSimplificationOver, 0,
             std::numeric_limits<int64_t>::max()),
      plain("dialectPlugins", &RunOptions::dialectPlugins),
      plain("passPlugins", &RunOptions::passPlugins)};
}

template <> constexpr auto of<Problem>() {
  return std::tuple{plain("severity", &Problem::severity),
                    plain("message", &Problem::message),
                    plain("range", &Problem::range),
                    id("chunk", &Problem::chunk, Ref::chunk),
                    id("function", &Problem::function, Ref::function),
                    number("stage", &Problem::stage, -1, maxStage),
                    plain("died", &Problem::died),
                    plain("invalidIr", &Problem::isInvalidIr),
                    plain("remedy", &Problem::remedy),
                    plain("notes", &Problem::notes)};
}

template <> constexpr auto of<Value>() {
  return std::tuple{self("id", &Value::id),
                    plain("kind", &Value::kind),
                    plain("index", &Value::index),
                    plain("name", &Value::name),
                    plain("type", &Value::type),
                    plain("isMemref", &Value::isMemref),
                    plain("generated", &Value::generated),
                    number("constant", &Value::constant, -1, 1),
                    id("op", &Value::op, Ref::op),
                    id("block", &Value::block, Ref::block),
                    plain("range", &Value::range),
                    plain("uses", &Value::uses),
                    id("standsFor", &Value::standsFor, Ref::value)};
}

template <> constexpr auto of<Op>() {
  return std::tuple{self("id", &Op::id),
                    plain("name", &Op::name),
                    id("block", &Op::block, Ref::block),
                    plain("generated", &Op::generated),
                    id("origin", &Op::origin, Ref::op),
                    plain("nameRange", &Op::nameRange),
                    plain("range", &Op::range),
                    id("operands", &Op::operands, Ref::value),
                    id("results", &Op::results, Ref::value),
                    id("successors", &Op::successors, Ref::block),
                    id("regions", &Op::regions, Ref::block),
                    plain("isTerminator", &Op::isTerminator),
                    id("callee", &Op::callee, Ref::function)};
}

template <> constexpr auto of<Block>() {
  return std::tuple{self("id", &Block::id),
                    plain("name", &Block::name),
                    id("function", &Block::function, Ref::function),
                    id("parentOp", &Block::parentOp, Ref::op),
                    plain("region", &Block::region),
                    plain("nameRange", &Block::nameRange),
                    plain("range", &Block::range),
                    id("arguments", &Block::arguments, Ref::value),
                    id("ops", &Block::ops, Ref::op),
                    id("successors", &Block::successors, Ref::block),
                    plain("isEntry", &Block::isEntry),
                    plain("reachable", &Block::reachable)};
}

template <> constexpr auto of<PeakGap>() {
  return std::tuple{plain("kind", &PeakGap::kind),
                    id("op", &PeakGap::op, Ref::op),
                    id("callee", &PeakGap::callee, Ref::function)};
}

template <> constexpr auto of<LiveBytes>() {
  return std::tuple{id("op", &LiveBytes::op, Ref::op),
                    number("bytes", &LiveBytes::bytes, 0,
                           std::numeric_limits<int64_t>::max())};
}

template <> constexpr auto of<FreedAt>() {
  return std::tuple{id("allocation", &FreedAt::allocation, Ref::op),
                    id("op", &FreedAt::op, Ref::op)};
}

template <> constexpr auto of<UseSpan>() {
  return std::tuple{id("value", &UseSpan::value, Ref::value),
                    id("first", &UseSpan::first, Ref::op),
                    id("last", &UseSpan::last, Ref::op),
                    id("usedBy", &UseSpan::usedBy, Ref::op),
                    id("hiddenBy", &UseSpan::hiddenBy, Ref::op),
                    plain("escape", &UseSpan::escape),
                    plain("isSeveral", &UseSpan::isSeveral)};
}

template <> constexpr auto of<BufferBytes>() {
  return std::tuple{id("op", &BufferBytes::op, Ref::op),
                    plain("index", &BufferBytes::index),
                    number("bytes", &BufferBytes::bytes, -1,
                           std::numeric_limits<int64_t>::max()),
                    number("alignment", &BufferBytes::alignment, 0,
                           std::numeric_limits<int64_t>::max()),
                    number("elementBytes", &BufferBytes::elementBytes, 0,
                           std::numeric_limits<int64_t>::max())};
}

template <> constexpr auto of<CalleeBytes>() {
  return std::tuple{id("op", &CalleeBytes::op, Ref::op),
                    id("callee", &CalleeBytes::callee, Ref::function),
                    number("bytes", &CalleeBytes::bytes, 0,
                           std::numeric_limits<int64_t>::max())};
}

template <> constexpr auto of<CloneBytes>() {
  return std::tuple{id("op", &CloneBytes::op, Ref::op),
                    number("count", &CloneBytes::count, 0,
                           std::numeric_limits<uint32_t>::max()),
                    number("bytes", &CloneBytes::bytes, 0,
                           std::numeric_limits<int64_t>::max())};
}

template <> constexpr auto of<GlobalBytes>() {
  return std::tuple{id("op", &GlobalBytes::op, Ref::op),
                    plain("name", &GlobalBytes::name),
                    number("bytes", &GlobalBytes::bytes, -1,
                           std::numeric_limits<int64_t>::max())};
}

template <> constexpr auto of<Symbol>() {
  return std::tuple{id("value", &Symbol::value, Ref::value),
                    number("dimension", &Symbol::dimension, -1,
                           std::numeric_limits<int64_t>::max())};
}

template <> constexpr auto of<Amount>() {
  return std::tuple{number("number", &Amount::number, -1,
                           std::numeric_limits<int64_t>::max()),
                    plain("factors", &Amount::factors)};
}

template <> constexpr auto of<LoopRange>() {
  return std::tuple{
      plain("low", &LoopRange::low), plain("high", &LoopRange::high),
      plain("step", &LoopRange::step), plain("plus", &LoopRange::plus)};
}

template <> constexpr auto of<ComputedNumber>() {
  return std::tuple{id("value", &ComputedNumber::value, Ref::value),
                    plain("range", &ComputedNumber::range)};
}

template <> constexpr auto of<PassedNumber>() {
  return std::tuple{plain("argument", &PassedNumber::argument),
                    number("dimension", &PassedNumber::dimension, -1,
                           std::numeric_limits<int64_t>::max()),
                    plain("amount", &PassedNumber::amount)};
}

template <> constexpr auto of<LoopRounds>() {
  return std::tuple{id("op", &LoopRounds::op, Ref::op),
                    number("rounds", &LoopRounds::rounds, -1,
                           std::numeric_limits<int64_t>::max()),
                    plain("ranges", &LoopRounds::ranges),
                    number("start", &LoopRounds::start, -1,
                           std::numeric_limits<int64_t>::max()),
                    plain("isAtMost", &LoopRounds::isAtMost)};
}

template <> constexpr auto of<CostSite>() {
  return std::tuple{plain("kind", &CostSite::kind),
                    id("op", &CostSite::op, Ref::op),
                    id("callee", &CostSite::callee, Ref::function),
                    plain("passed", &CostSite::passed),
                    plain("bytes", &CostSite::bytes),
                    plain("space", &CostSite::space),
                    id("loops", &CostSite::loops, Ref::op),
                    plain("isConditional", &CostSite::isConditional),
                    plain("sources", &CostSite::sources)};
}

template <> constexpr auto of<HeapUse>() {
  return std::tuple{plain("measured", &HeapUse::measured),
                    number("peakBytes", &HeapUse::peakBytes, 0,
                           std::numeric_limits<int64_t>::max()),
                    id("peakOp", &HeapUse::peakOp, Ref::op),
                    plain("clones", &HeapUse::clones),
                    number("listBytes", &HeapUse::listBytes, 0,
                           std::numeric_limits<int64_t>::max()),
                    plain("gaps", &HeapUse::gaps),
                    plain("live", &HeapUse::live),
                    plain("freed", &HeapUse::freed),
                    plain("buffers", &HeapUse::buffers),
                    plain("callees", &HeapUse::callees),
                    plain("stack", &HeapUse::stack),
                    plain("globals", &HeapUse::globals)};
}

template <> constexpr auto of<SpaceUse>() {
  return std::tuple{plain("space", &SpaceUse::space),
                    plain("heap", &SpaceUse::heap)};
}

template <> constexpr auto of<Function>() {
  return std::tuple{
      self("id", &Function::id),
      id("chunk", &Function::chunk, Ref::chunk),
      plain("name", &Function::name),
      plain("scope", &Function::scope),
      plain("opName", &Function::opName),
      plain("isPublic", &Function::isPublic),
      plain("status", &Function::status),
      number("lastGoodStage", &Function::lastGoodStage, -1, maxStage),
      plain("upstreamReadsFreedMemory", &Function::upstreamReadsFreedMemory),
      plain("dynamicOwnership", &Function::dynamicOwnership),
      plain("hasFreshResults", &Function::hasFreshResults),
      plain("nameRange", &Function::nameRange),
      plain("range", &Function::range),
      id("op", &Function::op, Ref::op),
      id("blocks", &Function::blocks, Ref::block),
      plain("heap", &Function::heap),
      plain("spaces", &Function::spaces),
      plain("costs", &Function::costs),
      plain("loops", &Function::loops),
      plain("computed", &Function::computed),
      plain("spans", &Function::spans)};
}

template <> constexpr auto of<TextStep>() {
  return std::tuple{number("keep", &TextStep::keep, 0),
                    number("drop", &TextStep::drop, 0),
                    plain("add", &TextStep::add)};
}

template <> constexpr auto of<Stage>() {
  return std::tuple{number("number", &Stage::number, 0, maxStage),
                    plain("name", &Stage::name),
                    plain("changed", &Stage::changed),
                    plain("text", &Stage::text),
                    plain("delta", &Stage::delta),
                    plain("agreement", &Stage::agreement),
                    plain("difference", &Stage::difference)};
}

template <> constexpr auto of<Chunk>() {
  return std::tuple{self("id", &Chunk::id), plain("range", &Chunk::range),
                    plain("parsed", &Chunk::parsed),
                    plain("stages", &Chunk::stages),
                    id("functions", &Chunk::functions, Ref::function)};
}

template <> constexpr auto of<MemrefSources>() {
  return std::tuple{id("value", &MemrefSources::value, Ref::value),
                    id("terminals", &MemrefSources::terminals, Ref::value),
                    id("sources", &MemrefSources::sources, Ref::value),
                    plain("kinds", &MemrefSources::kinds)};
}

template <> constexpr auto of<AliasPair>() {
  return std::tuple{plain("first", &AliasPair::first),
                    plain("second", &AliasPair::second),
                    plain("answer", &AliasPair::answer),
                    plain("rule", &AliasPair::rule),
                    plain("local", &AliasPair::local),
                    plain("separation", &AliasPair::separation)};
}

template <> constexpr auto of<Access>() {
  return std::tuple{
      id("op", &Access::op, Ref::op), id("memref", &Access::memref, Ref::value),
      plain("reads", &Access::reads), plain("writes", &Access::writes)};
}

template <> constexpr auto of<StatedPair>() {
  return std::tuple{
      plain("first", &StatedPair::first), plain("second", &StatedPair::second),
      plain("fact", &StatedPair::fact), id("by", &StatedPair::by, Ref::op)};
}

template <> constexpr auto of<FunctionAliases>() {
  return std::tuple{id("function", &FunctionAliases::function, Ref::function),
                    plain("memrefs", &FunctionAliases::memrefs),
                    plain("pairs", &FunctionAliases::pairs),
                    plain("accesses", &FunctionAliases::accesses),
                    plain("stated", &FunctionAliases::stated),
                    plain("leftOut", &FunctionAliases::leftOut),
                    plain("localNotAsked", &FunctionAliases::localNotAsked)};
}

template <> constexpr auto of<TensorReason>() {
  return std::tuple{
      plain("kind", &TensorReason::kind),
      id("write", &TensorReason::write, Ref::op),
      number("writeOperand", &TensorReason::writeOperand, -1),
      id("read", &TensorReason::read, Ref::op),
      number("readOperand", &TensorReason::readOperand, -1),
      id("definition", &TensorReason::definition, Ref::value),
      plain("readOnly", &TensorReason::readOnly),
      plain("isAcrossIterations", &TensorReason::isAcrossIterations),
      id("joined", &TensorReason::joined, Ref::value),
      plain("isDisjoint", &TensorReason::isDisjoint)};
}

template <> constexpr auto of<TensorOperand>() {
  return std::tuple{id("op", &TensorOperand::op, Ref::op),
                    number("operand", &TensorOperand::operand, 0),
                    id("value", &TensorOperand::value, Ref::value),
                    plain("placement", &TensorOperand::placement),
                    plain("reads", &TensorOperand::reads),
                    plain("writes", &TensorOperand::writes),
                    id("becomes", &TensorOperand::becomes, Ref::value),
                    plain("reasons", &TensorOperand::reasons),
                    number("reasonCount", &TensorOperand::reasonCount, 0,
                           std::numeric_limits<uint32_t>::max()),
                    number("readCount", &TensorOperand::readCount, 0,
                           std::numeric_limits<uint32_t>::max()),
                    number("writeCount", &TensorOperand::writeCount, 0,
                           std::numeric_limits<uint32_t>::max()),
                    plain("isBounded", &TensorOperand::isBounded)};
}

template <> constexpr auto of<TensorCost>() {
  return std::tuple{plain("isCopy", &TensorCost::isCopy),
                    plain("origin", &TensorCost::origin),
                    id("op", &TensorCost::op, Ref::op),
                    number("operand", &TensorCost::operand, -1),
                    id("value", &TensorCost::value, Ref::value),
                    id("because", &TensorCost::because, Ref::value),
                    number("bytes", &TensorCost::bytes, -1,
                           std::numeric_limits<int64_t>::max()),
                    plain("size", &TensorCost::size),
                    id("loops", &TensorCost::loops, Ref::op),
                    number("times", &TensorCost::times, 0,
                           std::numeric_limits<int64_t>::max()),
                    plain("isOntoItself", &TensorCost::isOntoItself),
                    id("now", &TensorCost::now, Ref::op)};
}

template <> constexpr auto of<TensorArgument>() {
  return std::tuple{id("value", &TensorArgument::value, Ref::value),
                    plain("read", &TensorArgument::read),
                    plain("written", &TensorArgument::written),
                    plain("isStated", &TensorArgument::isStated),
                    plain("bodyReads", &TensorArgument::bodyReads),
                    plain("bodyWrites", &TensorArgument::bodyWrites)};
}

template <> constexpr auto of<TensorResult>() {
  return std::tuple{number("result", &TensorResult::result, 0),
                    number("argument", &TensorResult::argument, -1),
                    number("mayBe", &TensorResult::mayBe, 0),
                    id("partOf", &TensorResult::partOf, Ref::value),
                    number("bytes", &TensorResult::bytes, -1,
                           std::numeric_limits<int64_t>::max())};
}

template <> constexpr auto of<TensorFunction>() {
  return std::tuple{id("function", &TensorFunction::function, Ref::function),
                    plain("isRecursive", &TensorFunction::isRecursive),
                    plain("arguments", &TensorFunction::arguments),
                    plain("results", &TensorFunction::results)};
}

template <> constexpr auto of<TensorBuffer>() {
  return std::tuple{id("value", &TensorBuffer::value, Ref::value),
                    id("same", &TensorBuffer::same, Ref::value),
                    id("mayShare", &TensorBuffer::mayShare, Ref::value)};
}

template <> constexpr auto of<TensorOverwrite>() {
  return std::tuple{id("argument", &TensorOverwrite::argument, Ref::value),
                    id("write", &TensorOverwrite::write, Ref::op),
                    number("writeOperand", &TensorOverwrite::writeOperand, -1),
                    id("read", &TensorOverwrite::read, Ref::op),
                    number("readOperand", &TensorOverwrite::readOperand, -1),
                    id("by", &TensorOverwrite::by, Ref::op),
                    id("written", &TensorOverwrite::written, Ref::value)};
}

template <> constexpr auto of<TensorLoop>() {
  return std::tuple{id("op", &TensorLoop::op, Ref::op),
                    number("times", &TensorLoop::times, 0,
                           std::numeric_limits<int64_t>::max())};
}

template <> constexpr auto of<Bufferization>() {
  return std::tuple{id("chunk", &Bufferization::chunk, Ref::chunk),
                    number("stage", &Bufferization::stage, 0, maxStage),
                    plain("options", &Bufferization::options),
                    plain("isReplayed", &Bufferization::isReplayed),
                    plain("comparisons", &Bufferization::comparisons),
                    plain("copiesText", &Bufferization::copiesText),
                    plain("operands", &Bufferization::operands),
                    plain("costs", &Bufferization::costs),
                    plain("functions", &Bufferization::functions),
                    plain("buffers", &Bufferization::buffers),
                    plain("overwrites", &Bufferization::overwrites),
                    plain("isOverwriteSearchBounded",
                          &Bufferization::isOverwriteSearchBounded),
                    id("madeDense", &Bufferization::madeDense, Ref::value),
                    id("untouched", &Bufferization::untouched, Ref::function),
                    plain("loops", &Bufferization::loops)};
}

template <> constexpr auto of<Trace>() {
  return std::tuple{always("toolVersion", &Trace::toolVersion),
                    always("llvmVersion", &Trace::llvmVersion),
                    always("options", &Trace::options),
                    always("source", &Trace::source),
                    always("chunks", &Trace::chunks),
                    always("functions", &Trace::functions),
                    always("blocks", &Trace::blocks),
                    always("ops", &Trace::ops),
                    always("values", &Trace::values),
                    always("events", &Trace::events),
                    always("problems", &Trace::problems),
                    plain("aliases", &Trace::aliases),
                    plain("bufferizations", &Trace::bufferizations)};
}

/// Calls `visit(field)` for each field of T.
template <class T, class Visit> constexpr void forEach(Visit &&visit) {
  std::apply([&](const auto &...field) { (visit(field), ...); }, of<T>());
}

namespace detail {
struct Anything {
  template <class T> operator T() const;
};

/// Number of members of an aggregate.
template <class T, class... Members> consteval size_t memberCount() {
  if constexpr (requires { T{Members{}..., Anything{}}; })
    return memberCount<T, Members..., Anything>();
  else
    return sizeof...(Members);
}

template <class T>
inline constexpr bool listsAll =
    std::tuple_size_v<decltype(of<T>())> == memberCount<T>();
static_assert(listsAll<Ownership>);
static_assert(listsAll<LivenessEvent>);
static_assert(listsAll<OwnershipEvent>);
static_assert(listsAll<CandidateEvent>);
static_assert(listsAll<RetainEvent>);
static_assert(listsAll<DeallocEvent>);
static_assert(listsAll<CloneEvent>);
static_assert(listsAll<SignatureEvent>);
static_assert(listsAll<RejectionEvent>);
static_assert(listsAll<AliasFact>);
static_assert(listsAll<RewriteEvent>);
static_assert(listsAll<LoweringEvent>);
static_assert(listsAll<StageEvent>);
static_assert(listsAll<AliasEvent>);
static_assert(listsAll<CriticalEvent>);
static_assert(listsAll<CopyEvent>);
static_assert(listsAll<FreeEvent>);
static_assert(listsAll<MoveEvent>);
static_assert(listsAll<WarningEvent>);
static_assert(listsAll<PeakGap>);
static_assert(listsAll<BufferBytes>);
static_assert(listsAll<CalleeBytes>);
static_assert(listsAll<CloneBytes>);
static_assert(listsAll<GlobalBytes>);
static_assert(listsAll<LiveBytes>);
static_assert(listsAll<FreedAt>);
static_assert(listsAll<HeapUse>);
static_assert(listsAll<SpaceUse>);
static_assert(listsAll<Symbol>);
static_assert(listsAll<Amount>);
static_assert(listsAll<LoopRange>);
static_assert(listsAll<ComputedNumber>);
static_assert(listsAll<PassedNumber>);
static_assert(listsAll<LoopRounds>);
static_assert(listsAll<CostSite>);
static_assert(listsAll<UseSpan>);
static_assert(listsAll<InterfaceEvent>);
static_assert(listsAll<MemrefSources>);
static_assert(listsAll<AliasPair>);
static_assert(listsAll<Access>);
static_assert(listsAll<StatedPair>);
static_assert(listsAll<FunctionAliases>);
static_assert(listsAll<TensorReason>);
static_assert(listsAll<TensorOperand>);
static_assert(listsAll<TensorCost>);
static_assert(listsAll<TensorArgument>);
static_assert(listsAll<TensorResult>);
static_assert(listsAll<TensorFunction>);
static_assert(listsAll<TensorBuffer>);
static_assert(listsAll<TensorOverwrite>);
static_assert(listsAll<TensorLoop>);
static_assert(listsAll<Bufferization>);
static_assert(listsAll<Source>);
static_assert(listsAll<RunOptions>);
static_assert(listsAll<Problem>);
static_assert(listsAll<Value>);
static_assert(listsAll<Op>);
static_assert(listsAll<Block>);
static_assert(listsAll<Function>);
static_assert(listsAll<Stage>);
static_assert(listsAll<Chunk>);
static_assert(listsAll<Trace>);
static_assert(memberCount<Range>() == 2);
// All but `detail`, whose fields are listed by alternative.
static_assert(std::tuple_size_v<decltype(of<Event>())> + 1 ==
              memberCount<Event>());
} // namespace detail

} // namespace memreflens::trace::fields

#endif // MEMREFLENS_TRACE_FIELDS_H
