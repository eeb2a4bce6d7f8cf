//===- viewer/state/TableView.cpp - the rows shown of a table, in order ---===//

#include "viewer/state/TableView.h"

#include <algorithm>

namespace memreflens::viewer {

static std::string_view takeDigits(std::string_view &text) {
  size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

bool isBefore(std::string_view a, std::string_view b) {
  auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  while (!a.empty() && !b.empty()) {
    if (isDigit(a[0]) && isDigit(b[0])) {
      std::string_view one = takeDigits(a), two = takeDigits(b);
      if (one != two)
        return one.size() != two.size() ? one.size() < two.size() : one < two;
      continue;
    }
    if (a[0] != b[0])
      return a[0] < b[0];
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
}

void TableView::update(const FactTable &table, Id value) {
  if (!onlySelected)
    value = none;
  if (!isStale && usedFilter == filter && usedValue == value)
    return;
  usedFilter = filter;
  usedValue = value;
  isStale = false;
  order.clear();
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const Fact &fact = table.rows[i];
    if (matches(fact, filter) &&
        (value == none || std::ranges::count(fact.about, value)))
      order.push_back(i);
  }
  size_t column = size_t(sortColumn);
  if (sortColumn < 0 || column >= table.columns.size())
    return;
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    if (isDescending)
      std::swap(a, b);
    return isBefore(table.rows[a].cells[column], table.rows[b].cells[column]);
  });
}

} // namespace memreflens::viewer
