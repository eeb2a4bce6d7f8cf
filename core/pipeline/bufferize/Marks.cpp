//===- core/pipeline/bufferize/Marks.cpp ----------------------------------===//

#include "core/pipeline/bufferize/Marks.h"
#include "core/source/Identity.h"

using namespace mlir;

namespace memreflens::bufferize {

static StringRef prefixOf(Mark mark) {
  return mark == Mark::asked ? "lens$asked" : "lens$made";
}

Location withMark(Location location, Mark mark, unsigned number) {
  const trace::Id op = taggedOp(location);
  const std::string name = (prefixOf(mark) + Twine(number)).str();
  Location marked = NameLoc::get(StringAttr::get(location.getContext(), name),
                                 stripTag(location));
  return op == trace::none ? marked : tagOp(marked, op);
}

/// The number in a name of this kind.
static std::optional<unsigned> numberIn(NameLoc named, Mark mark) {
  StringRef name = named.getName();
  unsigned number = 0;
  if (!name.consume_front(prefixOf(mark)) || name.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

std::optional<unsigned> markIn(Location location, Mark mark) {
  auto named = dyn_cast<NameLoc>(location);
  for (; named; named = dyn_cast<NameLoc>(named.getChildLoc()))
    if (std::optional<unsigned> number = numberIn(named, mark))
      return number;
  return std::nullopt;
}

static Location withoutMarks(Location location) {
  auto named = dyn_cast<NameLoc>(location);
  if (!named)
    return location;
  const Location below = withoutMarks(named.getChildLoc());
  if (numberIn(named, Mark::asked) || numberIn(named, Mark::made))
    return below;
  return NameLoc::get(named.getName(), below);
}

void dropMarks(Operation *root) {
  root->walk([](Operation *op) {
    if (markIn(op->getLoc(), Mark::asked) || markIn(op->getLoc(), Mark::made))
      op->setLoc(withoutMarks(op->getLoc()));
  });
}

} // namespace memreflens::bufferize
