//===- core/text/LineStarts.h - where the lines of a text begin -----------===//

#ifndef MEMREFLENS_TEXT_LINESTARTS_H
#define MEMREFLENS_TEXT_LINESTARTS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace memreflens {

/// Lines in front of the first that is not empty are only counted: the text of
/// one function at its own lines of a large file begins with very many.
class LineStarts {
public:
  size_t size() const { return leading + rest.size(); }
  size_t operator[](size_t line) const {
    return line < leading ? line : rest[line - leading];
  }
  /// The line that a place in the text is on.
  size_t lineOf(size_t offset) const {
    if (offset < leading)
      return offset;
    return leading +
           size_t(std::ranges::upper_bound(rest, offset) - rest.begin()) - 1;
  }

  /// Adds a line that begins there, behind all others.
  void push_back(size_t offset) {
    if (rest.size() == 1 && offset == leading + 1)
      rest[0] = uint32_t(++leading);
    else
      rest.push_back(uint32_t(offset));
  }
  /// Once all are there.
  void shrink_to_fit() { rest.shrink_to_fit(); }

private:
  /// Empty lines of one byte each; the first of the rest begins behind them.
  size_t leading = 0;
  std::vector<uint32_t> rest = {0};
};

} // namespace memreflens

#endif // MEMREFLENS_TEXT_LINESTARTS_H
