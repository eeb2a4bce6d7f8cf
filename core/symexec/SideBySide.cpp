//===- core/symexec/SideBySide.cpp ----------------------------------------===//

#include "core/symexec/SideBySide.h"
#include "core/source/ThreadedContext.h"
#include "core/symexec/CallGraph.h"

#include "llvm/ADT/STLExtras.h"

#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

using namespace mlir;

namespace memreflens::symexec {

namespace {
/// Each thread needs one of its own, which takes a while to fill: handed from
/// one exploration to the next.
class SymbolTables {
public:
  std::unique_ptr<SymbolTableCollection> take() {
    std::lock_guard lock(mutex);
    if (free.empty())
      return std::make_unique<SymbolTableCollection>();
    auto table = std::move(free.back());
    free.pop_back();
    return table;
  }
  void giveBack(std::unique_ptr<SymbolTableCollection> table) {
    std::lock_guard lock(mutex);
    free.push_back(std::move(table));
  }

private:
  std::mutex mutex;
  std::vector<std::unique_ptr<SymbolTableCollection>> free;
};
} // namespace

/// Their numbers, so that what takes longest is not begun last: first those
/// that run what they call, then the larger ones.
static std::vector<size_t> byLength(ArrayRef<FunctionOpInterface> functions,
                                    SymbolTableCollection &symbols) {
  std::vector<std::pair<bool, uint64_t>> lengths;
  for (FunctionOpInterface function : functions)
    lengths.push_back({callsBodies(function, symbols), opsIn(function)});
  std::vector<size_t> numbers(functions.size());
  std::iota(numbers.begin(), numbers.end(), size_t(0));
  llvm::stable_sort(numbers, [&](size_t left, size_t right) {
    return lengths[left] > lengths[right];
  });
  return numbers;
}

void exploreSideBySide(ArrayRef<FunctionOpInterface> functions,
                       const trace::Workers &workers,
                       const ExploreOne &explore) {
  if (!workers || functions.size() < 2) {
    SymbolTableCollection symbols;
    for (size_t number = 0; number < functions.size(); ++number)
      explore(number, symbols);
    return;
  }
  const ThreadedContext context(*functions.front()->getContext());
  SymbolTables tables;
  std::unique_ptr<SymbolTableCollection> first = tables.take();
  const std::vector<size_t> order = byLength(functions, *first);
  tables.giveBack(std::move(first));
  workers(order.size(), [&](size_t at) {
    std::unique_ptr<SymbolTableCollection> symbols = tables.take();
    explore(order[at], *symbols);
    tables.giveBack(std::move(symbols));
  });
}

void exploreBoth(MLIRContext &context, const trace::Workers &workers,
                 const std::function<void()> &first,
                 const std::function<void()> &second) {
  const ThreadedContext threaded(context);
  workers(2, [&](size_t which) { (which == 0 ? first : second)(); });
}

} // namespace memreflens::symexec
