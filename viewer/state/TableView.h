//===- viewer/state/TableView.h - the rows shown of a table, in order -----===//

#ifndef MEMREFLENS_VIEWER_STATE_TABLEVIEW_H
#define MEMREFLENS_VIEWER_STATE_TABLEVIEW_H

#include "viewer/state/Facts.h"

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

/// Numbers within texts by their size: "%9" before "%10".
bool isBefore(std::string_view a, std::string_view b);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_STATE_TABLEVIEW_H
