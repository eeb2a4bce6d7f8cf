//===- core/pipeline/record/UniqueNames.cpp -------------------------------===//

#include "core/pipeline/record/UniqueNames.h"

#include "llvm/ADT/StringRef.h"

namespace memreflens {

using trace::Id;
using trace::none;

void UniqueNames::begin(Id newModule, PartStart newStart) {
  module = newModule;
  start = newStart;
  taken.clear();
}

void UniqueNames::index(Id wanted) {
  // One pass fills the sets of all functions of the part; later names come from
  // `unique`.
  TracePart(trace, module, start).eachValue([&](const trace::Value &value) {
    Id owner = value.block == none ? none : trace.blocks[value.block].function;
    std::unique_ptr<llvm::StringSet<>> &set = taken[owner];
    if (!set)
      set = std::make_unique<llvm::StringSet<>>();
    set->insert(llvm::StringRef(value.name).split('#').first);
  });
  if (!taken[wanted])
    taken[wanted] = std::make_unique<llvm::StringSet<>>();
}

std::string UniqueNames::unique(Id function, std::string base) {
  auto known = taken.find(function);
  if (known == taken.end()) {
    index(function);
    known = taken.find(function);
  }
  if (known->second->insert(base).second)
    return base;
  unsigned &suffix = nextSuffix[std::to_string(function) + "/" + base];
  while (true) {
    std::string candidate = base + "_" + std::to_string(suffix++);
    if (known->second->insert(candidate).second)
      return candidate;
  }
}

} // namespace memreflens
