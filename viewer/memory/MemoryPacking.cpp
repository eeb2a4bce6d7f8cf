//===- viewer/memory/MemoryPacking.cpp - buffers in one arena, ready to be drawn
//-===//

#include "viewer/memory/MemoryPacking.h"

#include <algorithm>

namespace memreflens::viewer {

namespace {
/// Cells of a few pixels that something small lies in.
class Cells {
public:
  Cells(int columns, int rows)
      : wide((columns + side - 1) / side), high((rows + side - 1) / side),
        taken(size_t(wide) * size_t(high)) {}

  static bool isSmall(const Packed &packed) {
    return packed.right - packed.left < side || packed.high - packed.low < side;
  }
  void add(const Packed &packed) {
    auto cell = [](float pixels, int most) {
      return std::clamp(int(pixels / side), 0, most - 1);
    };
    // A right or upper edge on a cell's own belongs to the cell before.
    const float inside = 0.01f;
    const int right = cell(packed.right - inside, wide),
              top = cell(packed.high - inside, high);
    for (int y = cell(packed.low, high); y <= top; ++y)
      for (int x = cell(packed.left, wide); x <= right; ++x)
        taken[size_t(y) * size_t(wide) + size_t(x)] = true;
  }
  /// One rectangle for neighbours in a row.
  void addTo(std::vector<Packed> &made) const {
    for (int y = 0; y < high; ++y)
      for (int x = 0; x < wide; ++x) {
        if (!isTaken(x, y))
          continue;
        const int begin = x;
        while (x < wide && isTaken(x, y))
          ++x;
        made.push_back({float(begin * side), float(x * side), float(y * side),
                        float((y + 1) * side), -1});
      }
  }

private:
  static constexpr int side = 2;
  bool isTaken(int x, int y) const {
    return taken[size_t(y) * size_t(wide) + size_t(x)];
  }

  int wide, high;
  std::vector<bool> taken;
};
} // namespace

std::vector<Packed> packingOf(const MemoryModel &model,
                              const StepWindow &window,
                              const PackingRequest &request) {
  const memory::ArenaPlan &plan = model.use.plans[request.plan];
  const double across = request.columns / window.width();
  const double up = request.rows / double(std::max<uint64_t>(plan.bytes, 1));
  std::vector<Packed> made, chosen;
  Cells cells(request.columns, request.rows);
  for (uint32_t i : model.bySize) {
    const memory::Buffer &buffer = model.use.buffers[i];
    if (buffer.bytes == 0 || buffer.begin >= window.to ||
        buffer.lastUse + 1 <= window.from)
      continue;
    const double low = double(plan.offsets[i]) * up,
                 high =
                     double(plan.offsets[i] + memory::alignedUp(buffer.bytes)) *
                     up;
    const Packed packed{
        float(std::max(0.0, (buffer.begin - window.from) * across)),
        float(std::min<double>(request.columns,
                               (buffer.lastUse + 1 - window.from) * across)),
        float(low), float(high), int(i)};
    if (int(i) == request.selected)
      chosen.push_back(packed);
    else if (Cells::isSmall(packed))
      cells.add(packed);
    else
      made.push_back(packed);
  }
  cells.addTo(made);
  made.insert(made.end(), chosen.begin(), chosen.end());
  return made;
}

int bufferAt(const MemoryModel &model, size_t plan, size_t step,
             uint64_t byte) {
  const std::vector<uint64_t> &offsets = model.use.plans[plan].offsets;
  for (size_t i = 0; i < offsets.size(); ++i) {
    const memory::Buffer &buffer = model.use.buffers[i];
    if (buffer.begin <= step && step <= buffer.lastUse && offsets[i] <= byte &&
        byte < offsets[i] + memory::alignedUp(buffer.bytes))
      return int(i);
  }
  return -1;
}

} // namespace memreflens::viewer
