//===- viewer/work/Bookmarks.h - places to come back to, with notes -------===//
//
// Saved beside the file, as FILE.memref-lens.json, by the names of what stands
// there: they outlive edits and can be shared.
//
//===----------------------------------------------------------------------===//

#ifndef MEMREFLENS_VIEWER_WORK_BOOKMARKS_H
#define MEMREFLENS_VIEWER_WORK_BOOKMARKS_H

#include "viewer/state/Anchor.h"

namespace memreflens::viewer {

struct Bookmark {
  Anchor anchor;
  std::string note;
  bool operator==(const Bookmark &) const = default;
};

using Bookmarks = std::vector<Bookmark>;

std::string bookmarksPath(const std::string &file);
/// Of a file that is missing or broken: none.
Bookmarks readBookmarks(const std::string &path);
/// Without bookmarks there is no file.
/// `before` is what was read or written last: what is new in the file since, by
/// another viewer, is taken over first. False if it could not be written; what
/// was in the file is there still.
bool writeBookmarks(Bookmarks &bookmarks, Bookmarks &before,
                    const std::string &path);

/// Sets a bookmark here, or takes it away; true if there is one now.
bool toggleBookmark(Bookmarks &bookmarks, const Anchor &here);
/// The one here, or null.
Bookmark *bookmarkAt(Bookmarks &bookmarks, const Anchor &here);

} // namespace memreflens::viewer

#endif // MEMREFLENS_VIEWER_WORK_BOOKMARKS_H
