//===- viewer/FactTable.h - rows of words: to sort, filter and copy -------===//

#ifndef MEMREFLENS_VIEWER_FACTTABLE_H
#define MEMREFLENS_VIEWER_FACTTABLE_H

#include "viewer/Facts.h"

#include <functional>

namespace memreflens::viewer {

/// What the user chose to see of a table.
struct TableView {
  char filter[96] = "";
  bool onlySelected = false;
  /// Set when the table is another one.
  bool isStale = true;
  /// Rows shown, in order.
  std::vector<size_t> order = {};
  int sortColumn = -1;
  bool isDescending = false;

  /// Works out `order`; rows about `value` alone, if that is wanted.
  void update(const FactTable &table, Id value);

private:
  std::string usedFilter = {};
  Id usedValue = none;
};

/// Filter, button to copy, number of rows; with a switch for those about the
/// selected value, where rows name values.
void drawTools(const FactTable &table, TableView &view, bool hasValues);
/// The filter alone.
void drawFilter(TableView &view);

struct RowLook {
  bool isSelected = false, isMarked = false;
};

/// The number of the row that was clicked; -1 for none. `value` is the selected
/// one; `scrollTo` is a row to bring into sight, or -1.
int drawTable(const char *id, const FactTable &table, TableView &view, Id value,
              const std::function<RowLook(size_t)> &look, int scrollTo = -1);

/// Numbers within texts by their size: "%9" before "%10".
bool isBefore(std::string_view a, std::string_view b);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_FACTTABLE_H
