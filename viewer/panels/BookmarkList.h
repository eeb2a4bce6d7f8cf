//===- viewer/panels/BookmarkList.h - places to come back to, with their notes
//---===//

#ifndef MEMREFLENS_VIEWER_PANELS_BOOKMARKLIST_H
#define MEMREFLENS_VIEWER_PANELS_BOOKMARKLIST_H

#include "viewer/work/Bookmarks.h"

namespace memreflens::viewer {

/// The list, with notes to be edited in place. True if something changed.
bool drawBookmarks(const Program &program, ViewState &state,
                   Bookmarks &bookmarks);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_PANELS_BOOKMARKLIST_H
