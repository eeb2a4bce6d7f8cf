//===- viewer/panels/BookmarkList.cpp - places to come back to, with their notes
//---===//

#include "viewer/panels/BookmarkList.h"

#include "viewer/panels/Rows.h"

#include "imgui/imgui.h"

namespace memreflens::viewer {

static std::string titleOf(const Anchor &anchor) {
  std::string title = "@" + anchor.function;
  if (!anchor.value.empty())
    title += "  %" + anchor.value;
  // The event's text begins with its stage.
  return title + "  stage " +
         (anchor.event.empty() ? std::to_string(anchor.stage) : anchor.event);
}

bool drawBookmarks(const Program &program, ViewState &state,
                   Bookmarks &bookmarks) {
  bool changed = false;
  if (bookmarks.empty())
    ImGui::TextDisabled("No bookmarks: Ctrl+D sets one at this place");
  int doomed = -1;
  for (size_t i = 0; i < bookmarks.size(); ++i) {
    ImGui::PushID(int(i));
    if (ImGui::SmallButton("x"))
      doomed = int(i);
    ImGui::SameLine();
    ImGui::BeginGroup();
    if (row(0, titleOf(bookmarks[i].anchor), false))
      selectPlace(state, program, placeOf(program, bookmarks[i].anchor));
    // Room for what is typed in one frame; one from elsewhere may be long.
    std::string note = bookmarks[i].note;
    note.resize(note.size() + 4096);
    ImGui::SetNextItemWidth(-1);
    if (ImGui::InputTextWithHint("##note", "note", note.data(), note.size())) {
      bookmarks[i].note = note.c_str();
      changed = true;
    }
    ImGui::EndGroup();
    ImGui::PopID();
  }
  if (doomed >= 0)
    bookmarks.erase(bookmarks.begin() + doomed);
  return changed || doomed >= 0;
}

} // namespace memreflens::viewer
