//===- lsp/analysis/DistinctArguments.cpp ---------------------------------===//

#include "lsp/analysis/DistinctArguments.h"

#include <algorithm>
#include <set>

namespace memreflens::lsp {

using trace::Id;
using trace::none;

/// Arguments of the entry block that are memrefs and have names in the text.
static std::vector<const trace::Value *> memrefArguments(const trace::Trace &in,
                                                         Id function) {
  std::vector<const trace::Value *> found;
  const trace::Function &of = in.functions[size_t(function)];
  if (of.blocks.empty())
    return found;
  for (Id id : in.blocks[size_t(of.blocks.front())].arguments)
    if (const trace::Value &value = in.values[size_t(id)];
        value.isMemref && !value.range.empty())
      found.push_back(&value);
  return found;
}

std::vector<uint32_t> argumentsIn(const View &view, Id function,
                                  trace::Range range) {
  std::vector<uint32_t> all, named;
  for (const trace::Value *value : memrefArguments(view.trace(), function)) {
    all.push_back(value->index);
    if (value->range.begin < range.end && range.begin < value->range.end)
      named.push_back(value->index);
  }
  return named.size() < 2 ? all : named;
}

static uint32_t beginOf(const trace::Trace &in, const trace::Op &op) {
  uint32_t begin = op.range.empty() ? op.nameRange.begin : op.range.begin;
  for (Id result : op.results)
    if (const trace::Range &at = in.values[size_t(result)].range; !at.empty())
      begin = std::min(begin, at.begin);
  return begin;
}

static std::string freshName(const std::string &base,
                             std::set<std::string> &taken) {
  std::string name = base + "_distinct";
  for (int i = 0; !taken.insert(name).second; ++i)
    name = base + "_distinct_" + std::to_string(i);
  return name;
}

static std::vector<ByteEdit>
changesFor(const trace::Trace &in, Id function,
           const std::vector<uint32_t> &arguments) {
  std::set<std::string> taken;
  for (const trace::Value &value : in.values)
    taken.insert(value.name);
  std::vector<ByteEdit> changes;
  std::string results, operands, types;
  for (const trace::Value *value : memrefArguments(in, function)) {
    if (std::ranges::find(arguments, value->index) == arguments.end())
      continue;
    // A name that is a number cannot be made longer by letters.
    bool isNumber = std::isdigit((unsigned char)value->name.front()) != 0;
    std::string fresh =
        "%" + freshName(isNumber ? "arg" + value->name : value->name, taken);
    auto join = [](std::string &list, const std::string &one) {
      list += (list.empty() ? "" : ", ") + one;
    };
    join(results, fresh);
    join(operands, "%" + value->name);
    join(types, value->type.str());
    for (trace::Range use : value->uses)
      changes.push_back({use.begin, use.end, fresh});
  }
  const trace::Function &of = in.functions[size_t(function)];
  const trace::Block &entry = in.blocks[size_t(of.blocks.front())];
  if (entry.ops.empty() || operands.empty())
    return {};
  const uint32_t at = beginOf(in, in.ops[size_t(entry.ops.front())]);
  const std::string &text = in.source.text;
  size_t line = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  line = line == std::string::npos ? 0 : line + 1;
  std::string before = text.substr(line, at - line);
  bool isAlone = before.find_first_not_of(" \t") == std::string::npos;
  changes.push_back({at, at,
                     results + " = memref.distinct_objects " + operands +
                         " : " + types + "\n" +
                         (isAlone ? before : std::string("  "))});
  return changes;
}

std::string withDistinctArguments(Analyst &analyst, const Document &document,
                                  const Unit &unit, const std::string &function,
                                  const std::vector<uint32_t> &arguments) {
  trace::Trace trace =
      analyst.soloRuns.wholeTrace(document, unit, analyst.options.run,
                                  /*lastStage=*/0);
  const uint32_t begin = SoloRuns::placeAlone(unit).range.begin;
  for (const trace::Function &one : trace.functions) {
    if (one.name != function || one.range.empty() || one.range.begin < begin)
      continue;
    std::vector<ByteEdit> changes = changesFor(trace, one.id, arguments);
    std::ranges::sort(changes, std::ranges::greater(),
                      [](const ByteEdit &change) { return change.begin; });
    Document tried;
    tried.uri = document.uri;
    tried.version = document.version;
    tried.text = document.text;
    for (const ByteEdit &change : changes)
      tried.text.replace(unit.begin + change.begin - begin,
                         change.end - change.begin, change.text);
    analyst.documents.refresh(tried);
    const Unit *now = analyst.documents.unitAt(tried, unit.line);
    if (changes.empty() || !now)
      return {};
    trace::Trace after = analyst.soloRuns.wholeTrace(
        tried, *now, analyst.options.run, /*lastStage=*/0);
    bool isGood = !after.chunks.empty() && after.chunks.front().parsed;
    return isGood ? tried.text : std::string();
  }
  return {};
}

} // namespace memreflens::lsp
