//===- core/pipeline/ownership/LiveSet.cpp --------------------------------===//

#include "core/pipeline/ownership/LiveSet.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace memreflens {

/// A set that outgrows this is hashed, and stays so when it shrinks.
static constexpr unsigned orderedAtMost = 16;

unsigned LiveSet::nextGroup() const {
  return few.empty() ? 0 : few.back().group + 1;
}

void LiveSet::append(Value value, unsigned group) {
  if (!hashed && few.size() < orderedAtMost)
    return few.push_back({value, group});
  if (!hashed) {
    for (const Member &member : few)
      many.insert(member.value);
    few.clear();
    hashed = true;
  }
  many.insert(value);
}

bool LiveSet::contains(Value value) const {
  if (hashed)
    return many.contains(value);
  return llvm::any_of(
      few, [&](const Member &member) { return member.value == value; });
}

bool LiveSet::insert(Value value) {
  if (contains(value))
    return false;
  append(value, nextGroup());
  return true;
}

/// New values keep the groups that they had in `other`, behind our own.
void LiveSet::add(const LiveSet &other) {
  if (other.hashed) {
    unsigned group = nextGroup();
    for (Value value : other.many)
      if (!contains(value))
        append(value, group);
    return;
  }
  unsigned base = nextGroup();
  for (const Member &member : other.few)
    if (!contains(member.value))
      append(member.value, base + member.group);
}

/// The last value fills the gap. Where it is one of a group, nobody knows which
/// one that is, and everything from the gap on loses its order.
void LiveSet::removeAt(unsigned position) {
  unsigned gap = few[position].group;
  Member last = few.pop_back_val();
  if (position == few.size())
    return;
  few[position].value = last.value;
  if (gap == last.group || few.back().group != last.group)
    return;
  for (Member &member : few)
    member.group = std::min(member.group, gap);
}

void LiveSet::removeIf(llvm::function_ref<bool(Value)> isUnwanted) {
  for (auto next = many.begin(); next != many.end();)
    if (auto here = next++; isUnwanted(*here))
      many.erase(here);
  for (unsigned position = 0; position < few.size();)
    if (isUnwanted(few[position].value))
      removeAt(position);
    else
      ++position;
}

/// The larger set is not looked through, which decides the order of removals.
void LiveSet::subtract(const LiveSet &other) {
  if (size() < other.size() || hashed || other.hashed)
    return removeIf([&](Value value) { return other.contains(value); });
  for (const Member &unwanted : other.few)
    for (unsigned position = 0; position < few.size(); ++position)
      if (few[position].value == unwanted.value) {
        removeAt(position);
        break;
      }
}

LiveSet LiveSet::filtered(llvm::function_ref<bool(Value)> isWanted) const {
  LiveSet kept;
  for (const Member &member : members())
    if (isWanted(member.value))
      kept.append(member.value, member.group);
  return kept;
}

SmallVector<LiveSet::Member> LiveSet::members() const {
  SmallVector<Member> all(few.begin(), few.end());
  for (Value value : many)
    all.push_back({value, 0});
  return all;
}

} // namespace memreflens
