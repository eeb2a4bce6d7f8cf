//===- viewer/panels/Rows.h - lines of text in a panel --------------------===//
//
// The user's text is made visible and never read as an id or format.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_PANELS_ROWS_H
#define MEMREFLENS_VIEWER_PANELS_ROWS_H

#include "viewer/state/State.h"

namespace memreflens::viewer {

void show(std::string_view text);
/// Prose, with what is code in the fixed font; wrapped at the panel's edge.
void showWrapped(std::string_view text);
/// How high that is in so much room.
float wrappedHeight(std::string_view text, float room);
/// A clickable line.
bool row(int id, std::string_view text, bool isSelected);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_ROWS_H
