//===- core/symexec/HeapWatch.cpp -----------------------------------------===//

#include "core/symexec/HeapWatch.h"
#include "core/source/MemorySpace.h"

using namespace mlir;

namespace memreflens::symexec {

using trace::PeakGapKind;

bool HeapWatch::counts(Type type) const {
  return !space || memorySpaceOf(type) == *space;
}

void HeapWatch::see(Operation *op, int64_t bytesLive, InCallee inCallee) {
  int64_t &most = live[op];
  if (inCallee.bytes > 0 && bytesLive >= most) {
    InCallee &known = callees[op];
    if (bytesLive > most || inCallee.bytes > known.bytes)
      known = inCallee;
  } else if (bytesLive > most) {
    if (auto known = callees.find(op); known != callees.end())
      known->second = {};
  }
  most = std::max(most, bytesLive);
}

void HeapWatch::size(llvm::MapVector<Value, int64_t> &sizes, Value buffer,
                     int64_t bytes) {
  auto [known, isNew] = sizes.insert({buffer, bytes});
  if (known->second >= 0)
    known->second = bytes < 0 ? bytes : std::max(known->second, bytes);
}

void HeapWatch::iterates(Operation *loop, unsigned iteration,
                         int64_t bytesLive) {
  std::vector<int64_t> &most = iterations[loop];
  if (most.size() <= iteration)
    most.resize(iteration + 1, 0);
  most[iteration] = std::max(most[iteration], bytesLive);
}

/// What comes behind the iteration that is repeated comes behind the other one,
/// too.
void HeapWatch::addRepeats() {
  for (bool isNew = true; isNew;) {
    isNew = false;
    for (const Repeat &repeat : repeats) {
      std::vector<int64_t> &most = iterations[repeat.loop];
      for (size_t from = repeat.first + 1;
           from + (repeat.again - repeat.first) <= iterationsTried &&
           from < most.size();
           ++from) {
        const size_t to = from + (repeat.again - repeat.first);
        isNew |= to >= most.size() || most[to] < most[from];
        iterates(repeat.loop, unsigned(to), most[from]);
      }
    }
  }
}

void HeapWatch::addGrowth() {
  addRepeats();
  for (auto &[loop, most] : iterations)
    if (most.size() > 1 && most.back() > most[most.size() - 2])
      gaps.insert({PeakGapKind::growth, loop});
}

} // namespace memreflens::symexec
