//===- core/source/IrNames.cpp - names where the text has none ------------===//

#include "core/source/IrLister.h"

#include "llvm/ADT/StringSet.h"

#include <map>

using namespace mlir;
using namespace memreflens;
using trace::Id;
using trace::none;

/// Blocks without a label: `^bbN` by position, or the next free number.
void IrLister::nameBlocks(const std::vector<Id> &region) {
  llvm::StringSet<> taken;
  for (Id id : region)
    taken.insert(trace.blocks[id].name);
  for (size_t i = 0; i < region.size(); ++i) {
    std::string &name = trace.blocks[region[i]].name;
    for (size_t number = i; name.empty();
         number = std::max(number + 1, region.size())) {
      std::string wish = "^bb" + std::to_string(number);
      if (taken.insert(wish).second)
        name = wish;
    }
  }
}

namespace {

/// Hands out names that no value of one function has.
struct FreeNames {
  std::string number(const std::string &prefix, unsigned &counter) {
    for (;;) {
      std::string wish = prefix + std::to_string(counter++);
      if (taken.insert(wish).second)
        return wish;
    }
  }
  std::string unique(const std::string &wish) {
    if (taken.insert(wish).second)
      return wish;
    return number(wish + "_", suffixes[wish]);
  }

  llvm::StringSet<> taken;
  unsigned arguments = 0;
  unsigned results = 0;
  llvm::StringMap<unsigned> suffixes;
};

} // namespace

void IrLister::nameValues() {
  if (unnamed.empty())
    return;
  auto functionOf = [&](const trace::Value &value) {
    return value.block == none ? none : trace.blocks[value.block].function;
  };
  std::map<Id, FreeNames> scopes;
  for (size_t i = firstValue; i < trace.values.size(); ++i)
    if (const trace::Value &value = trace.values[i]; !value.name.empty())
      scopes[functionOf(value)].taken.insert(baseName(value.name));
  // Results of one op share a name, `a#0` and `a#1`, unless they have roles.
  llvm::DenseMap<Operation *, std::string> groups;
  for (auto [value, id] : unnamed) {
    trace::Value &entry = trace.values[id];
    FreeNames &names = scopes[functionOf(entry)];
    std::string wish = origin.roleName(value, entry);
    Operation *op = value.getDefiningOp();
    if (!op) {
      entry.name = wish.empty() ? names.number("arg", names.arguments)
                                : names.unique(wish);
      continue;
    }
    bool grouped = op->getNumResults() > 1 && entry.standsFor == none;
    std::string &shared = groups[op];
    std::string base = grouped ? shared : std::string();
    if (base.empty())
      base =
          wish.empty() ? names.number("", names.results) : names.unique(wish);
    if (grouped)
      shared = base;
    entry.name = grouped ? base + "#" + std::to_string(entry.index) : base;
  }
}
