//===- core/explain/AliasText.cpp -----------------------------------------===//

#include "core/explain/AliasText.h"
#include "core/explain/DecisionParts.h"
#include "core/explain/Words.h"

#include <algorithm>
#include <array>
#include <map>

namespace memreflens {

using trace::AliasPair;
using trace::FunctionAliases;
using trace::Id;
using trace::LocalAlias;
using trace::none;
using trace::SameAllocation;
using trace::Separation;

//===--- Verdicts ---------------------------------------------------------===//

/// Whether the memory of one may have been handed on to the other: a clone is
/// folded away where nobody writes, and a realloc keeps what is large enough.
static bool shareSource(const FunctionAliases &view, const AliasPair &pair) {
  const std::vector<Id> &one = view.memrefs[pair.first].sources;
  const std::vector<Id> &other = view.memrefs[pair.second].sources;
  return std::ranges::any_of(one, [&](Id source) {
    return std::ranges::find(other, source) != other.end();
  });
}

/// Of a value that starts nowhere (the result of an scf.parallel that reduces
/// memrefs) the origin analysis says that it is apart from all.
static bool startsNowhere(const FunctionAliases &view, const AliasPair &pair) {
  return pair.rule == trace::AliasRule::disjointAllocations &&
         (view.memrefs[pair.first].terminals.empty() ||
          view.memrefs[pair.second].terminals.empty());
}

AliasVerdict verdictOf(const FunctionAliases &view, const AliasPair &pair) {
  if (pair.answer == SameAllocation::yes ||
      (pair.answer == SameAllocation::unknown &&
       pair.local == LocalAlias::mustAlias))
    return AliasVerdict::must;
  if (pair.answer == SameAllocation::no && !shareSource(view, pair) &&
      !startsNowhere(view, pair))
    return AliasVerdict::never;
  return pair.separation != Separation::none ? AliasVerdict::never
                                             : AliasVerdict::may;
}

static bool contradict(const FunctionAliases &view, const AliasPair &pair) {
  if (view.localNotAsked)
    return false;
  return (pair.answer == SameAllocation::yes &&
          pair.local == LocalAlias::noAlias) ||
         (pair.answer == SameAllocation::no &&
          (pair.local == LocalAlias::mustAlias ||
           pair.local == LocalAlias::partialAlias));
}

bool differ(const FunctionAliases &view, const AliasPair &pair) {
  if (view.localNotAsked)
    return false;
  switch (pair.answer) {
  case SameAllocation::yes:
    // Parts of one allocation need not overlap at the same address.
    return pair.local == LocalAlias::noAlias ||
           pair.local == LocalAlias::mayAlias;
  case SameAllocation::no:
    return pair.local != LocalAlias::noAlias;
  case SameAllocation::unknown:
    return pair.local != LocalAlias::mayAlias;
  }
  return false;
}

std::string_view nameOf(AliasVerdict verdict) {
  return verdict == AliasVerdict::must  ? "must"
         : verdict == AliasVerdict::may ? "may"
                                        : "never";
}

const FunctionAliases *aliasesOf(const trace::Trace &trace, Id function) {
  for (const FunctionAliases &view : trace.aliases)
    if (view.function == function)
      return &view;
  return nullptr;
}

const AliasPair *pairOf(const FunctionAliases &view, uint32_t first,
                        uint32_t second) {
  if (first == second || std::max(first, second) >= view.memrefs.size())
    return nullptr;
  if (first > second)
    std::swap(first, second);
  // In order of the first, then of the second.
  const size_t count = view.memrefs.size();
  const size_t at =
      size_t(first) * (2 * count - first - 1) / 2 + (second - first - 1);
  return at < view.pairs.size() ? &view.pairs[at] : nullptr;
}

//===--- Words ------------------------------------------------------------===//

static std::string localWords(LocalAlias local) {
  switch (local) {
  case LocalAlias::noAlias:
    return "NoAlias";
  case LocalAlias::mayAlias:
    return "MayAlias";
  case LocalAlias::partialAlias:
    return "PartialAlias";
  case LocalAlias::mustAlias:
    return "MustAlias";
  }
  return {};
}

static std::string kindWords(trace::SourceKind kind) {
  switch (kind) {
  case trace::SourceKind::allocation:
    return "allocated here";
  case trace::SourceKind::global:
    return "a global";
  case trace::SourceKind::argument:
    return "an argument";
  case trace::SourceKind::distinct:
    return "one of distinct objects";
  case trace::SourceKind::unknown:
    return "of unknown origin";
  }
  return {};
}

static std::string separationWords(Separation separation) {
  switch (separation) {
  case Separation::none:
    return "nothing tells their memory apart";
  case Separation::allocations:
    return "their memory comes from different allocations";
  case Separation::allocationOrOlder:
    return "one is allocated in the function, the other was there before";
  case Separation::globals:
    return "they are different globals";
  case Separation::distinctObjects:
    return "they are stated to be distinct objects";
  }
  return {};
}

/// With its place, where another memref of the function has the same name: each
/// region has names of its own.
static std::string nameIn(const Lookup &lookup, Id memref) {
  const std::string name = lookup.name(memref);
  const Id function = lookup.getIndex().functionOfValue(memref);
  const bool isOnly =
      std::ranges::none_of(lookup.memrefsOf(function), [&](Id other) {
        return other != memref && !lookup.value(other)->generated &&
               lookup.name(other) == name;
      });
  return isOnly ? name : name + lookup.at(lookup.rangeOfValue(memref));
}

static std::string sourcesOf(const Lookup &lookup,
                             const trace::MemrefSources &memref) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < memref.sources.size(); ++i)
    parts.push_back(memref.sources[i] == memref.value
                        ? kindWords(memref.kinds[i])
                        : nameIn(lookup, memref.sources[i]) + " (" +
                              kindWords(memref.kinds[i]) + ")");
  return listed(parts, "or");
}

static trace::AliasFact factOf(const FunctionAliases &view,
                               const AliasPair &pair) {
  trace::AliasFact fact;
  const trace::MemrefSources &one = view.memrefs[pair.first];
  const trace::MemrefSources &other = view.memrefs[pair.second];
  fact.first = one.value;
  fact.second = other.value;
  fact.answer = pair.answer;
  fact.rule = pair.rule;
  fact.firstTerminals = one.terminals;
  fact.secondTerminals = other.terminals;
  return fact;
}

Explanation explainPair(const Lookup &lookup, const FunctionAliases &view,
                        const AliasPair &pair) {
  const trace::MemrefSources &one = view.memrefs[pair.first];
  const trace::MemrefSources &other = view.memrefs[pair.second];
  Explanation result;
  std::string both =
      nameIn(lookup, one.value) + " and " + nameIn(lookup, other.value);
  switch (verdictOf(view, pair)) {
  case AliasVerdict::must:
    result.sentence = both + " are always the same allocation";
    break;
  case AliasVerdict::may:
    result.sentence = both + " may be the same allocation";
    break;
  case AliasVerdict::never:
    result.sentence = both + " are never the same allocation";
    break;
  }
  addEvidence(result, {none, lookup.rangeOfValue(one.value),
                       "BufferOriginAnalysis, which the pipeline asks: " +
                           aliasWords(lookup, factOf(view, pair))});
  std::string local = "LocalAliasAnalysis: " + localWords(pair.local);
  if (view.localNotAsked)
    local = "LocalAliasAnalysis was not asked: MLIR 22 dies of it where a "
            "terminator's regions take memrefs (scf.reduce)";
  else if (contradict(view, pair))
    local += ", against BufferOriginAnalysis";
  else if (differ(view, pair))
    local += pair.answer == SameAllocation::unknown
                 ? ", which BufferOriginAnalysis cannot tell"
                 : ", it cannot tell";
  addEvidence(result, {none, lookup.rangeOfValue(other.value), local});
  if (verdictOf(view, pair) == AliasVerdict::may &&
      (pair.answer == SameAllocation::no || pair.local == LocalAlias::noAlias))
    addEvidence(result, {none,
                         {},
                         startsNowhere(view, pair)
                             ? "not to be relied on: it knows no place where "
                               "one of the two starts"
                             : "not to be relied on: a clone or realloc may "
                               "hand on the very buffer that it is made of"});
  addEvidence(result,
              {none,
               {},
               "where memory comes from: " + separationWords(pair.separation)});
  for (const trace::MemrefSources *memref : {&one, &other})
    addEvidence(result, {none, lookup.rangeOfValue(memref->value),
                         nameIn(lookup, memref->value) + " is " +
                             sourcesOf(lookup, *memref)});
  return result;
}

static int positionOf(const FunctionAliases &view, Id memref) {
  for (size_t i = 0; i < view.memrefs.size(); ++i)
    if (view.memrefs[i].value == memref)
      return int(i);
  return -1;
}

static std::string leftOutWords(const FunctionAliases &view) {
  return "the first " + counted(view.memrefs.size(), "memref") +
         " of the function; " + std::to_string(view.leftOut) +
         " more are not looked at";
}

/// At most so many names, and how many are left.
static std::string someNames(const Lookup &lookup, const std::vector<Id> &ids) {
  constexpr size_t most = 12;
  std::vector<std::string> parts;
  for (size_t i = 0; i < std::min(most, ids.size()); ++i)
    parts.push_back(nameIn(lookup, ids[i]));
  if (ids.size() > most)
    parts.push_back(std::to_string(ids.size() - most) + " more");
  return listed(parts);
}

Explanation explainAliases(const Lookup &lookup, const FunctionAliases &view,
                           Id memref) {
  Explanation result;
  const int at = positionOf(view, memref);
  if (at < 0)
    return result;
  std::map<AliasVerdict, std::vector<Id>> others;
  std::vector<Id> told;
  for (uint32_t i = 0; i < view.memrefs.size(); ++i)
    if (const AliasPair *pair = pairOf(view, uint32_t(at), i)) {
      others[verdictOf(view, *pair)].push_back(view.memrefs[i].value);
      if (differ(view, *pair))
        told.push_back(view.memrefs[i].value);
    }
  std::vector<std::string> parts;
  if (!others[AliasVerdict::must].empty())
    parts.push_back("must alias " +
                    someNames(lookup, others[AliasVerdict::must]));
  if (!others[AliasVerdict::may].empty())
    parts.push_back("may alias " +
                    someNames(lookup, others[AliasVerdict::may]));
  if (!others[AliasVerdict::never].empty())
    parts.push_back("does not alias " +
                    someNames(lookup, others[AliasVerdict::never]));
  result.sentence =
      nameIn(lookup, memref) + " " +
      (parts.empty() ? "is the only memref of the function" : listed(parts));
  addEvidence(result,
              {none, lookup.rangeOfValue(memref),
               "its memory is " + sourcesOf(lookup, view.memrefs[size_t(at)])});
  if (!told.empty())
    addEvidence(result, {none,
                         {},
                         "BufferOriginAnalysis and LocalAliasAnalysis differ "
                         "about " +
                             someNames(lookup, told)});
  if (view.leftOut > 0)
    addEvidence(result, {none, {}, leftOutWords(view)});
  return result;
}

//===--- Accesses ---------------------------------------------------------===//

static const trace::StatedPair *statedOf(const FunctionAliases &view,
                                         size_t first, size_t second) {
  for (const trace::StatedPair &stated : view.stated)
    if ((stated.first == first && stated.second == second) ||
        (stated.first == second && stated.second == first))
      return &stated;
  return nullptr;
}

/// Whether two accesses can touch common memory, by all that is known.
static bool mayTouch(const FunctionAliases &view, size_t first, size_t second) {
  if (statedOf(view, first, second))
    return false;
  const int one = positionOf(view, view.accesses[first].memref);
  const int other = positionOf(view, view.accesses[second].memref);
  if (one < 0 || other < 0)
    return true;
  const AliasPair *pair = pairOf(view, uint32_t(one), uint32_t(other));
  return !pair || verdictOf(view, *pair) != AliasVerdict::never;
}

static std::string accessName(const Lookup &lookup,
                              const trace::Access &access) {
  std::string text = lookup.opName(access.op);
  if (access.memref != none)
    text += " of " + nameIn(lookup, access.memref);
  return text + lookup.at(lookup.rangeOfOp(access.op));
}

static std::string someAccesses(const Lookup &lookup,
                                const FunctionAliases &view,
                                const std::vector<size_t> &which) {
  constexpr size_t most = 8;
  std::vector<std::string> parts;
  for (size_t i = 0; i < std::min(most, which.size()); ++i)
    parts.push_back(accessName(lookup, view.accesses[which[i]]));
  if (which.size() > most)
    parts.push_back(std::to_string(which.size() - most) + " more");
  return listed(parts);
}

static std::string statedWords(const Lookup &lookup,
                               const trace::StatedPair &stated) {
  std::string by = lookup.opAt(stated.by);
  switch (stated.fact) {
  case trace::StatedFact::scopes:
    return "by their alias scopes in " + by;
  case trace::StatedFact::distinctObjects:
    return by + " states that they are distinct objects";
  case trace::StatedFact::noneAre:
    return by + " states that none of its objects is the other";
  }
  return {};
}

static void addTouched(const Lookup &lookup, const FunctionAliases &view,
                       size_t at, Explanation &result) {
  std::vector<size_t> may, cannot;
  for (size_t i = 0; i < view.accesses.size(); ++i) {
    // Of two reads it does not matter.
    bool matters = view.accesses[at].writes || view.accesses[i].writes;
    if (view.accesses[i].op != view.accesses[at].op && matters)
      (mayTouch(view, at, i) ? may : cannot).push_back(i);
  }
  if (!may.empty())
    addEvidence(result, {none,
                         {},
                         "may touch what is touched by " +
                             someAccesses(lookup, view, may)});
  if (!cannot.empty())
    addEvidence(result, {none,
                         {},
                         "cannot touch what is touched by " +
                             someAccesses(lookup, view, cannot)});
  for (size_t i : cannot)
    if (const trace::StatedPair *stated = statedOf(view, at, i))
      addEvidence(result, {none, lookup.rangeOfOp(view.accesses[i].op),
                           "not " + accessName(lookup, view.accesses[i]) +
                               ": " + statedWords(lookup, *stated)});
}

std::vector<Explanation> explainAliasesAt(const Lookup &lookup,
                                          uint32_t offset) {
  std::vector<Explanation> found;
  const trace::Index &index = lookup.getIndex();
  const FunctionAliases *view =
      aliasesOf(lookup.getTrace(), index.functionAt(offset));
  if (!view)
    return found;
  const Id value = index.valueAt(offset);
  for (Explanation &one :
       std::array{explainAliases(lookup, *view, value),
                  explainAccess(lookup, *view, index.opAt(offset))})
    if (!one.empty())
      found.push_back(std::move(one));
  const int at = positionOf(*view, value);
  for (uint32_t i = 0; at >= 0 && i < view->memrefs.size(); ++i)
    if (const AliasPair *pair = pairOf(*view, uint32_t(at), i))
      found.push_back(explainPair(lookup, *view, *pair));
  return found;
}

Explanation explainAccess(const Lookup &lookup, const FunctionAliases &view,
                          Id op) {
  Explanation result;
  for (size_t at = 0; at < view.accesses.size(); ++at) {
    const trace::Access &access = view.accesses[at];
    if (access.op != op)
      continue;
    if (access.memref == none) {
      result.sentence = lookup.opName(op) +
                        " may read and write any memory that it can reach";
    } else {
      std::string does = access.reads && access.writes ? "reads and writes "
                         : access.writes               ? "writes "
                                                       : "reads ";
      std::string clause = does + nameIn(lookup, access.memref);
      result.sentence += result.sentence.empty()
                             ? lookup.opName(op) + " " + clause
                             : ", and " + clause;
      if (int memref = positionOf(view, access.memref); memref >= 0)
        result.sentence += ", whose memory is " +
                           sourcesOf(lookup, view.memrefs[size_t(memref)]);
    }
    addTouched(lookup, view, at, result);
  }
  return result;
}

//===--- The matrix -------------------------------------------------------===//

static char cellOf(const FunctionAliases &view, const AliasPair &pair) {
  if (contradict(view, pair))
    return '!';
  switch (verdictOf(view, pair)) {
  case AliasVerdict::must:
    return '=';
  case AliasVerdict::may:
    return '?';
  case AliasVerdict::never:
    return '.';
  }
  return ' ';
}

AliasMatrix aliasMatrix(const FunctionAliases &view) {
  AliasMatrix matrix;
  for (uint32_t row = 0; row < view.memrefs.size(); ++row) {
    matrix.memrefs.push_back(view.memrefs[row].value);
    std::string cells;
    for (uint32_t column = 0; column < view.memrefs.size(); ++column) {
      const AliasPair *pair = pairOf(view, row, column);
      cells += pair ? cellOf(view, *pair) : '=';
    }
    matrix.cells.push_back(std::move(cells));
  }
  if (view.leftOut > 0)
    matrix.note = leftOutWords(view);
  return matrix;
}

/// In characters.
static size_t widthOf(std::string_view text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) {
    return (uint8_t(c) & 0xC0) != 0x80; // The first byte of each.
  }));
}

static std::string padded(std::string text, size_t width) {
  size_t length = widthOf(text);
  return text + std::string(width > length ? width - length : 0, ' ');
}

static std::string matrixText(const Lookup &lookup,
                              const FunctionAliases &view) {
  AliasMatrix matrix = aliasMatrix(view);
  std::vector<std::string> names;
  size_t width = 0;
  for (Id memref : matrix.memrefs) {
    names.push_back(nameIn(lookup, memref));
    width = std::max(width, widthOf(names.back()));
  }
  std::string text;
  for (size_t row = 0; row < names.size(); ++row) {
    text += "  " + padded(names[row], width) + "  ";
    // The other half is the same.
    for (size_t column = 0; column <= row; ++column)
      text += std::string(1, row == column ? '\\' : matrix.cells[row][column]) +
              " ";
    text.back() = '\n';
  }
  if (!matrix.note.empty())
    text += "  " + matrix.note + "\n";
  return text;
}

std::string renderAliases(const Lookup &lookup, const std::string &wanted) {
  std::string text;
  for (const FunctionAliases &view : lookup.getTrace().aliases) {
    const trace::Function *function = lookup.function(view.function);
    if (!function || (!wanted.empty() && function->name != wanted))
      continue;
    text += (text.empty() ? "" : "\n") + std::string("@") + function->name +
            "   = must alias   . no alias   ? may alias   ! the analyses "
            "contradict each other\n";
    text += matrixText(lookup, view);
    for (const AliasPair &pair : view.pairs)
      if (differ(view, pair)) {
        Explanation why = explainPair(lookup, view, pair);
        text += "  " + why.sentence + "\n";
        for (const Evidence &fact : why.evidence)
          text += "    " + fact.text + "\n";
      }
  }
  return text;
}

} // namespace memreflens
