//===- tests/support/TraceBuilder.h - traces made by hand -----------------===//
//
// Reads the user's part of a trace off a text as it is told, line by line, so
// that ranges are real; events and generated values are added by hand.
//
//   TraceBuilder b("func.func @f() {\n  %a = memref.alloc() :
//   memref<4xf32>\n}"); b.function("f"); Id a = b.op("memref.alloc", {},
//   {"a"}); b.event(3, OwnershipEvent{...}, {.value = a});
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_TESTS_SUPPORT_TRACEBUILDER_H
#define MEMREFLENS_TESTS_SUPPORT_TRACEBUILDER_H

#include "core/trace/Model.h"

#include <stdexcept>

namespace memreflens::trace::test {

/// What an event is about; `block` is the builder's current one if not given.
struct About {
  Id value = none;
  Id op = none;
  Id block = none;
};

class TraceBuilder {
public:
  Trace trace;

  explicit TraceBuilder(std::string text) {
    trace.source = {"test.mlir", std::move(text)};
    Chunk chunk;
    chunk.id = 0;
    chunk.range = {0, uint32_t(trace.source.text.size())};
    trace.chunks.push_back(chunk);
  }

  /// Opens a function with its entry block; arguments follow by `argument`.
  Id function(const std::string &name) {
    Function function;
    function.id = Id(trace.functions.size());
    function.chunk = 0;
    function.name = name;
    function.opName = "func.func";
    uint32_t begin = find("func.func", cursor);
    function.nameRange = {find("@" + name, begin),
                          find("@" + name, begin) + uint32_t(name.size()) + 1};
    function.range = {begin, find("\n}", begin) + 2};
    Op op;
    op.name = "func.func";
    op.range = function.range;
    op.nameRange = {begin, begin + 9};
    op.regions.emplace_back();
    function.op = addOp(op);
    trace.functions.push_back(function);
    trace.chunks[0].functions.push_back(function.id);
    cursor = function.nameRange.end;
    holder = function.op;
    region = 0;
    return openBlock("^bb0", /*isEntry=*/true);
  }

  /// Opens the labelled block that comes next in the text.
  Id block(const std::string &name) {
    cursor = find("\n" + name, cursor) + 1;
    Id id = openBlock(name, false);
    trace.blocks[size_t(id)].nameRange = {cursor,
                                          cursor + uint32_t(name.size())};
    cursor += uint32_t(name.size());
    return id;
  }

  Id argument(const std::string &name, const std::string &type = memref) {
    Id id = addValue(name, type);
    Value &value = trace.values[size_t(id)];
    value.kind = ValueKind::argument;
    Block &block = trace.blocks[size_t(current)];
    value.index = uint32_t(block.arguments.size());
    block.arguments.push_back(id);
    return id;
  }

  /// The op of that name that comes next in the text: its range ends with the
  /// line, or with the bracket that closes its regions. Gives its first result,
  /// or, without results, the op.
  Id op(const std::string &name, const std::vector<Id> &operands = {},
        const std::vector<std::string> &results = {},
        const std::string &type = memref) {
    Op op;
    op.name = name;
    op.block = current;
    op.operands = operands;
    uint32_t begin = find(name, cursor);
    op.nameRange = {begin, begin + uint32_t(name.size())};
    op.range = {begin, find("\n", begin)};
    Id id = addOp(op);
    for (const std::string &result : results) {
      Id value = addValue(result, type);
      trace.values[size_t(value)].op = id;
      trace.values[size_t(value)].index =
          uint32_t(trace.ops[size_t(id)].results.size());
      trace.ops[size_t(id)].results.push_back(value);
    }
    cursor = op.nameRange.end;
    for (Id operand : operands)
      addUse(operand);
    lastOp = id;
    Block &block = trace.blocks[size_t(current)];
    block.ops.push_back(id);
    block.range.end = std::max(block.range.end, op.range.end);
    return results.empty() ? id : trace.ops[size_t(id)].results.front();
  }
  Id terminator(const std::string &name, const std::vector<Id> &operands,
                const std::vector<Id> &successors = {}) {
    Id id = op(name, operands);
    trace.ops[size_t(id)].isTerminator = true;
    trace.ops[size_t(id)].successors = successors;
    trace.blocks[size_t(current)].successors = successors;
    return id;
  }

  /// Opens a region of the last op; `endRegion` returns to the op's block.
  Id beginRegion() {
    open.push_back({holder, region, current, lastOp});
    holder = lastOp;
    auto &regions = trace.ops[size_t(holder)].regions;
    region = uint32_t(regions.size());
    regions.emplace_back();
    cursor = find("{", cursor) + 1;
    return openBlock("^bb0", /*isEntry=*/true);
  }
  void endRegion() {
    cursor = find("}", cursor) + 1;
    auto [outerHolder, outerRegion, block, op] = open.back();
    open.pop_back();
    trace.ops[size_t(holder)].range.end = cursor;
    holder = outerHolder;
    region = outerRegion;
    current = block;
    lastOp = op;
    trace.blocks[size_t(block)].range.end = cursor;
  }

  /// An i1 of the pass's.
  Id indicator(const std::string &name, Id standsFor = none,
               int constant = -1) {
    Value value;
    value.id = Id(trace.values.size());
    value.name = name;
    value.type = "i1";
    value.generated = true;
    value.constant = int8_t(constant);
    value.block = current;
    value.standsFor = standsFor;
    trace.values.push_back(value);
    return value.id;
  }
  /// A memref that a stage made of `standsFor`.
  Id generated(const std::string &name, Id standsFor) {
    Id id = indicator(name, standsFor);
    trace.values[size_t(id)].type = memref;
    trace.values[size_t(id)].isMemref = true;
    return id;
  }
  /// An op that a stage made, with the location of `origin`.
  Id generatedOp(const std::string &name, Id origin,
                 const std::vector<Id> &results = {}) {
    Op op;
    op.name = name;
    op.generated = true;
    op.origin = origin;
    op.block = trace.ops[size_t(origin)].block;
    Id id = addOp(op);
    for (Id result : results)
      trace.values[size_t(result)].op = id;
    trace.ops[size_t(id)].results = results;
    return id;
  }

  template <class Detail> Id event(int stage, Detail detail, About about) {
    Event event;
    event.id = Id(trace.events.size());
    event.stage = stage;
    event.chunk = 0;
    event.function = trace.functions.empty() ? none : trace.functions.back().id;
    event.block = about.block == none ? current : about.block;
    event.op = about.op;
    event.value = about.value;
    event.detail = std::move(detail);
    trace.events.push_back(event);
    return event.id;
  }
  /// `value` becomes owned under `indicator`.
  Id owns(Id value, Id indicator, OwnershipRule rule, About about = {}) {
    OwnershipEvent change;
    change.rule = rule;
    change.with = change.after = {OwnershipState::unique, indicator};
    about.value = value;
    return event(3, change, about);
  }

  /// Where the n-th occurrence of `text` begins.
  uint32_t offsetOf(const std::string &text, int n = 0) const {
    uint32_t at = find(text, 0);
    for (; n > 0; --n)
      at = find(text, at + 1);
    return at;
  }

  static constexpr const char *memref = "memref<4xf32>";

private:
  struct Open {
    Id holder;
    uint32_t region;
    Id block, op;
  };

  uint32_t find(const std::string &what, uint32_t from) const {
    size_t at = trace.source.text.find(what, from);
    if (at == std::string::npos)
      throw std::runtime_error("not in the text: " + what);
    return uint32_t(at);
  }
  Id addOp(Op op) {
    op.id = Id(trace.ops.size());
    trace.ops.push_back(op);
    return op.id;
  }
  /// The definition is the first occurrence of the name.
  Id addValue(const std::string &name, const std::string &type) {
    Value value;
    value.id = Id(trace.values.size());
    value.name = name;
    value.type = type;
    value.isMemref = type.rfind("memref", 0) == 0;
    value.block = current;
    uint32_t at = find("%" + name, 0);
    value.range = {at, at + uint32_t(name.size()) + 1};
    trace.values.push_back(value);
    return value.id;
  }
  void addUse(Id id) {
    Value &value = trace.values[size_t(id)];
    uint32_t at = find("%" + value.name, cursor);
    cursor = at + uint32_t(value.name.size()) + 1;
    value.uses.push_back({at, cursor});
  }
  Id openBlock(const std::string &name, bool isEntry) {
    Block block;
    block.id = Id(trace.blocks.size());
    block.name = name;
    block.function = trace.functions.back().id;
    block.parentOp = holder;
    block.region = region;
    block.range = {cursor, cursor + 1};
    block.isEntry = isEntry;
    trace.blocks.push_back(block);
    trace.ops[size_t(holder)].regions[region].push_back(block.id);
    Function &function = trace.functions.back();
    if (function.op == holder)
      function.blocks.push_back(block.id);
    current = block.id;
    return block.id;
  }

  uint32_t cursor = 0;
  Id holder = none;
  uint32_t region = 0;
  Id current = none;
  Id lastOp = none;
  std::vector<Open> open;
};

} // namespace memreflens::trace::test

#endif // MEMREFLENS_TESTS_SUPPORT_TRACEBUILDER_H
