//===- core/check/explore/SideBySide.cpp ----------------------------------===//

#include "core/check/explore/SideBySide.h"
#include "core/check/explore/Calls.h"
#include "core/source/ThreadedContext.h"

#include "llvm/ADT/STLExtras.h"

#include <memory>
#include <mutex>
#include <vector>

using namespace mlir;

namespace memreflens {

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

/// Their numbers, the largest first: what takes longest is not begun last.
static std::vector<size_t> bySize(ArrayRef<FunctionOpInterface> functions) {
  std::vector<std::pair<uint64_t, size_t>> sizes;
  for (FunctionOpInterface function : functions)
    sizes.push_back({opsIn(function), sizes.size()});
  llvm::stable_sort(sizes, [](const auto &left, const auto &right) {
    return left.first > right.first;
  });
  std::vector<size_t> numbers;
  for (const auto &[size, number] : sizes)
    numbers.push_back(number);
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
  const std::vector<size_t> order = bySize(functions);
  SymbolTables tables;
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

} // namespace memreflens
