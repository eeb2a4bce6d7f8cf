//===- viewer/work/Bookmarks.cpp - places to come back to -----------------===//

#include "viewer/work/Bookmarks.h"

#include "viewer/work/Files.h"

#include "nlohmann/json.hpp"

#include <algorithm>
#include <filesystem>

namespace memreflens::viewer {

using nlohmann::json;

std::string bookmarksPath(const std::string &file) {
  return file + ".memref-lens.json";
}

namespace {
/// Reads a field of the type of its default.
struct Fields {
  const json &object;
  std::string text(const char *key) const {
    auto found = object.find(key);
    return found != object.end() && found->is_string()
               ? found->get<std::string>()
               : "";
  }
  int number(const char *key) const {
    auto found = object.find(key);
    return found != object.end() && found->is_number_integer()
               ? std::clamp(found->get<int>(), 0, 1 << 20)
               : 0;
  }
};
} // namespace

static Bookmarks bookmarksIn(const json &file) {
  Bookmarks bookmarks;
  auto list = file.find("bookmarks");
  if (list == file.end() || !list->is_array())
    return bookmarks;
  for (const json &entry : *list) {
    if (!entry.is_object())
      continue;
    Fields fields{entry};
    bookmarks.push_back({{.function = fields.text("function"),
                          .functionCopy = fields.number("functionCopy"),
                          .stage = std::clamp(fields.number("stage"), 0, 255),
                          .value = fields.text("value"),
                          .valueCopy = fields.number("valueCopy"),
                          .event = fields.text("event"),
                          .eventCopy = fields.number("eventCopy")},
                         fields.text("note")});
  }
  return bookmarks;
}

Bookmarks readBookmarks(const std::string &path) {
  bool isBroken = false;
  std::optional<json> file = readObject(path, isBroken);
  return file ? bookmarksIn(*file) : Bookmarks();
}

/// Adds what another viewer has written since `before`.
static void takeOver(Bookmarks &bookmarks, const Bookmarks &before,
                     const Bookmarks &theirs) {
  for (const Bookmark &their : theirs) {
    if (std::ranges::find(before, their) != before.end())
      continue;
    Bookmark *mine = bookmarkAt(bookmarks, their.anchor);
    bool isMineNew = mine && std::ranges::find(before, *mine) == before.end();
    if (!mine)
      bookmarks.push_back(their);
    else if (!isMineNew || mine->note.empty())
      mine->note = their.note;
    else if (!their.note.empty() && mine->note != their.note)
      mine->note += " / " + their.note;
  }
}

bool writeBookmarks(Bookmarks &bookmarks, Bookmarks &before,
                    const std::string &path) {
  bool isBroken = false;
  std::optional<json> file = readObject(path, isBroken);
  if (file)
    takeOver(bookmarks, before, bookmarksIn(*file));
  if (bookmarks.empty()) {
    std::error_code error;
    if (!isBroken)
      std::filesystem::remove(path, error);
    before.clear();
    return !error;
  }
  json list = json::array();
  for (const Bookmark &bookmark : bookmarks) {
    const Anchor &at = bookmark.anchor;
    list.push_back({{"function", at.function},
                    {"functionCopy", at.functionCopy},
                    {"stage", at.stage},
                    {"value", at.value},
                    {"valueCopy", at.valueCopy},
                    {"event", at.event},
                    {"eventCopy", at.eventCopy},
                    {"note", bookmark.note}});
  }
  if (!writeKept(path, {{"bookmarks", list}}))
    return false;
  // As it is read: what is no UTF-8 is not written as it was.
  before = readBookmarks(path);
  return true;
}

Bookmark *bookmarkAt(Bookmarks &bookmarks, const Anchor &here) {
  auto found = std::ranges::find(bookmarks, here, &Bookmark::anchor);
  return found == bookmarks.end() ? nullptr : &*found;
}

bool toggleBookmark(Bookmarks &bookmarks, const Anchor &here) {
  if (Bookmark *found = bookmarkAt(bookmarks, here)) {
    bookmarks.erase(bookmarks.begin() + (found - bookmarks.data()));
    return false;
  }
  bookmarks.push_back({here, ""});
  return true;
}

} // namespace memreflens::viewer
