//===- cli/ScopesReport.cpp -----------------------------------------------===//

#include "cli/ScopesReport.h"
#include "core/source/Document.h"
#include "core/source/Identity.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace memreflens {

using namespace aliasing;

//===--- Names and places -------------------------------------------------===//

/// Null for an op that a pass in front has made.
const trace::Op *ScopesReport::opOf(Operation *op) {
  const trace::Id id = taggedOp(op->getLoc());
  if (id == trace::none || size_t(id) >= trace.ops.size() ||
      trace.ops[id].name != op->getName().getStringRef())
    return nullptr;
  return &trace.ops[id];
}

LineColumn ScopesReport::placeOf(Operation *op) {
  if (const trace::Op *known = opOf(op))
    return lines.lineColumn(known->range.begin);
  const int64_t offset = offsetOf(op->getLoc(), trace);
  return offset < 0 ? LineColumn{0, 0} : lines.lineColumn(uint32_t(offset));
}

std::string ScopesReport::placeText(Operation *op) {
  const LineColumn place = placeOf(op);
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string ScopesReport::nameOf(Value value) {
  trace::Id id = trace::none;
  if (auto argument = dyn_cast<BlockArgument>(value))
    id = taggedArgument(argument.getLoc());
  else if (const trace::Op *op = opOf(value.getDefiningOp());
           op && op->results.size() == value.getDefiningOp()->getNumResults())
    id = op->results[cast<OpResult>(value).getResultNumber()];
  if (id == trace::none || size_t(id) >= trace.values.size())
    return "a memref without a name";
  return "%" + trace.values[id].name;
}

std::string ScopesReport::wordsOf(Value source) {
  if (isa<BlockArgument>(source)) {
    Operation *parent = source.getParentBlock()->getParentOp();
    if (isa<FunctionOpInterface>(parent))
      return "memory from before the call";
    return nameOf(source) + ", a distinct object of " + placeText(parent);
  }
  Operation *op = source.getDefiningOp();
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    return "global @" + global.getName().str();
  if (isa<memref::DistinctObjectsOp>(op))
    return nameOf(source) + ", a distinct object of " + placeText(op);
  return nameOf(source) + ", allocated at " + placeText(op);
}

std::string ScopesReport::wordsOf(const FunctionScopes &scopes,
                                  const AccessScope &scope) {
  if (scopes.domains[scope.domain].kind == DomainKind::stated)
    return describe(scopes, scope);
  std::vector<std::string> parts;
  for (Value source : scope.sources)
    parts.push_back(wordsOf(source));
  if (scope.others)
    parts.push_back("what none of the objects is");
  return llvm::join(parts, ", or ");
}

//===--- One function -----------------------------------------------------===//

static void countPairs(const FunctionScopes &scopes, ScopesOfFunction &rows) {
  for (size_t i = 0; i < scopes.accesses.size(); ++i)
    for (size_t j = i + 1; j < scopes.accesses.size(); ++j) {
      ++rows.pairs;
      rows.apart += scopes.areApart(scopes.accesses[i], scopes.accesses[j]);
    }
}

/// Without what is said of allocations once more where it is said with more.
static FunctionScopes shownScopes(FunctionOpInterface function) {
  FunctionScopes scopes = computeScopes(function);
  if (llvm::none_of(scopes.domains, [](const ScopeDomain &domain) {
        return domain.kind == DomainKind::call;
      }))
    return scopes;
  // Those domains are the first ones, and so are their scopes.
  const auto domains =
      unsigned(llvm::count_if(scopes.domains, [](const ScopeDomain &domain) {
        return domain.isLasting();
      }));
  const auto count =
      unsigned(llvm::count_if(scopes.scopes, [&](const AccessScope &scope) {
        return scope.domain < domains;
      }));
  scopes.domains.erase(scopes.domains.begin(),
                       scopes.domains.begin() + domains);
  scopes.scopes.erase(scopes.scopes.begin(), scopes.scopes.begin() + count);
  for (AccessScope &scope : scopes.scopes)
    scope.domain -= domains;
  for (ScopedAccess &access : scopes.accesses)
    for (std::vector<unsigned> *list : {&access.scopes, &access.noalias}) {
      llvm::erase_if(*list, [&](unsigned scope) { return scope < count; });
      for (unsigned &scope : *list)
        scope -= count;
    }
  return scopes;
}

ScopesOfFunction ScopesReport::rowsOf(FunctionOpInterface function) {
  const FunctionScopes scopes = shownScopes(function);
  ScopesOfFunction rows;
  rows.name = function.getName().str();
  const LineColumn place = placeOf(function);
  rows.line = place.line;
  rows.column = place.column;
  rows.isInParts = llvm::any_of(
      scopes.domains, [](const ScopeDomain &domain) { return domain.part; });
  rows.isInlinable =
      llvm::all_of(scopes.domains, [](const ScopeDomain &domain) {
        return domain.isLasting();
      });
  for (const ScopeDomain &domain : scopes.domains)
    rows.domains.push_back(
        describe(domain) +
        (domain.by ? " (" + placeText(domain.by) + ")" : std::string()));
  for (const AccessScope &scope : scopes.scopes)
    rows.scopes.push_back({scope.domain, wordsOf(scopes, scope)});
  for (const ScopedAccess &access : scopes.accesses) {
    AccessRow row;
    row.op = access.op->getName().getStringRef().str();
    const LineColumn at = placeOf(access.op);
    row.line = at.line;
    row.column = at.column;
    for (Value memref : scopedMemrefs(access.op))
      row.memrefs.push_back(nameOf(memref));
    row.scopes = access.scopes;
    row.noalias = access.noalias;
    rows.accesses.push_back(std::move(row));
  }
  countPairs(scopes, rows);
  return rows;
}

void ScopesReport::add(ModuleOp module) {
  module->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (!function.isExternal() &&
        (wanted.empty() || function.getName() == wanted))
      functions.push_back(rowsOf(function));
  });
}

} // namespace memreflens
