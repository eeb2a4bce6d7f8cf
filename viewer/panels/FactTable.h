//===- viewer/panels/FactTable.h - rows of words: to sort, filter and copy ===//

#ifndef MEMREFLENS_VIEWER_PANELS_FACTTABLE_H
#define MEMREFLENS_VIEWER_PANELS_FACTTABLE_H

#include "viewer/state/TableView.h"

#include <functional>

namespace memreflens::viewer {

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

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_FACTTABLE_H
