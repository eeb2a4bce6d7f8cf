//===- viewer/window/Palette.cpp - one line of text that finds anything ---===//

#include "viewer/window/Palette.h"

#include "viewer/canvas/Theme.h"
#include "viewer/panels/Rows.h"
#include "viewer/window/Workspace.h"

#include "imgui/imgui.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

namespace memreflens::viewer {

namespace fs = std::filesystem;

static bool canOpen(const fs::path &path) {
  std::string ending = path.extension().string();
  return ending == ".mlir" || ending == ".mlirbc" || isSavedFile(path.string());
}

/// Files and folders in the folder that the text names, and recent files.
static std::vector<PaletteEntry> filesFor(const Workspace &workspace,
                                          const std::string &text) {
  std::vector<PaletteEntry> entries;
  if (text.empty())
    for (const std::string &file : workspace.settings.recent)
      entries.push_back({EntryKind::file, 0, file, "recent"});
  fs::path folder = fs::path(text).parent_path();
  std::error_code error;
  std::vector<std::string> found;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end;
       !error && at != end && found.size() < 5000; at.increment(error)) {
    std::error_code ignored;
    bool isFolder = at->is_directory(ignored);
    std::string name = at->path().filename().string();
    if (!name.starts_with(".") && (isFolder || canOpen(at->path())))
      found.push_back((folder / name).string() + (isFolder ? "/" : ""));
  }
  std::ranges::sort(found);
  for (std::string &file : found)
    entries.push_back({EntryKind::file, 0, std::move(file), ""});
  return entries;
}

static std::vector<PaletteEntry> commandEntries(Workspace &workspace) {
  std::vector<PaletteEntry> entries;
  Tab *tab = workspace.current();
  bool hasProgram = tab && tab->program;
  const std::vector<Command> &all = workspace.commands.all();
  for (size_t i = 0; i < all.size(); ++i)
    if (hasProgram || !all[i].needsProgram)
      entries.push_back(
          {EntryKind::command, int(i),
           all[i].name.group + ": " + all[i].name.title,
           all[i].name.chords.empty() ? "" : textOf(all[i].name.chords[0])});
  return entries;
}

void openPalette(Workspace &workspace, PaletteMode mode,
                 const std::string &text) {
  Palette &palette = workspace.palette;
  int serial = palette.serial + 1;
  palette = Palette();
  palette.serial = serial;
  palette.mode = mode;
  palette.isNew = true;
  palette.searched = "\n"; // Differs from all that can be typed.
  std::snprintf(palette.text, sizeof palette.text, "%s", text.c_str());
  palette.first = palette.text;
  Tab *tab = workspace.current();
  if (mode == PaletteMode::commands)
    palette.entries = commandEntries(workspace);
  if (mode == PaletteMode::goTo && tab && tab->program)
    palette.entries = entriesOf(*tab->program);
}

static void goTo(Tab &tab, const PaletteEntry &entry) {
  const Program &program = *tab.program;
  ViewState &state = tab.state;
  const Lookup &lookup = program.lookup;
  if (entry.kind == EntryKind::function)
    selectFunction(state, program, entry.id);
  if (entry.kind == EntryKind::event)
    selectEvent(state, program, entry.id);
  if (entry.kind == EntryKind::value) {
    Id function = lookup.getIndex().functionOfValue(entry.id);
    if (function != state.place.function)
      selectFunction(state, program, function);
    selectValue(state, program, entry.id);
  }
  if (const trace::Op *op = lookup.op(entry.id);
      op && entry.kind == EntryKind::op) {
    selectOffset(state, program, op->nameRange.begin);
    if (!op->results.empty())
      selectValue(state, program, op->results.front());
  }
}

static void exportTo(Workspace &workspace, const std::string &path) {
  Palette &palette = workspace.palette;
  Tab *tab = workspace.current();
  std::error_code error;
  if (!tab || !tab->program || !isExportPath(path))
    return;
  if (fs::exists(path, error) && palette.confirmed != path) {
    palette.confirmed = path;
    return;
  }
  bool started = workspace.exporting.start(
      {tab->program, tab->state.place, tab->state.showsStageGraph,
       workspace.settings.theme, path, tab->state.run});
  workspace.notice = started ? "writing " + path + " ..."
                             : "another export is still being written";
  palette.mode = PaletteMode::closed;
}

/// Enter, or a click on an entry.
static void accept(Workspace &workspace, const PaletteEntry *entry) {
  Palette &palette = workspace.palette;
  std::string text = palette.text;
  if (palette.mode == PaletteMode::exportTo)
    return exportTo(workspace, text);
  if (palette.mode == PaletteMode::openFile) {
    if (entry && entry->text.ends_with("/"))
      return openPalette(workspace, PaletteMode::openFile, entry->text);
    palette.mode = PaletteMode::closed;
    if (entry || !text.empty())
      open(workspace, {entry ? entry->text : text, {}});
    return;
  }
  if (!entry)
    return;
  // A copy: a command may open the palette anew.
  PaletteEntry chosen = *entry;
  palette.mode = PaletteMode::closed;
  if (chosen.kind == EntryKind::command)
    workspace.commands.all()[size_t(chosen.id)].run(workspace);
  else if (Tab *tab = workspace.current(); tab && tab->program)
    goTo(*tab, chosen);
}

static void search(Workspace &workspace) {
  Palette &palette = workspace.palette;
  if (palette.searched == palette.text)
    return;
  palette.searched = palette.text;
  palette.chosen = 0;
  if (palette.mode == PaletteMode::openFile)
    palette.entries = filesFor(workspace, palette.text);
  palette.hits = hitsOf(palette.entries, palette.text);
}

static const char *hintOf(PaletteMode mode) {
  switch (mode) {
  case PaletteMode::goTo:
    return "function, value, op or decision";
  case PaletteMode::commands:
    return "command";
  case PaletteMode::openFile:
    return "file: .mlir, .mlirbc or .trace.json";
  default:
    return "file: .svg, .png, .dot, .html, .md or .json";
  }
}

static void drawHits(Workspace &workspace) {
  Palette &palette = workspace.palette;
  ImGui::BeginChild("hits");
  ImGuiListClipper clipper;
  clipper.Begin(int(palette.hits.size()));
  int accepted = -1;
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const PaletteEntry &entry =
          palette.entries[size_t(palette.hits[size_t(i)])];
      if (row(i, entry.text, i == palette.chosen))
        accepted = i;
      float width = ImGui::CalcTextSize(entry.note.c_str()).x;
      ImGui::SameLine(std::max(10.f, ImGui::GetWindowWidth() - width -
                                         ImGui::GetStyle().ScrollbarSize - 10));
      ImGui::TextDisabled("%s", entry.note.c_str());
    }
  if (palette.scrolls)
    ImGui::SetScrollY((float(palette.chosen) - 4) *
                      ImGui::GetTextLineHeightWithSpacing());
  palette.scrolls = false;
  ImGui::EndChild();
  if (accepted >= 0)
    accept(workspace, &palette.entries[size_t(palette.hits[size_t(accepted)])]);
}

static void drawExportNote(const Palette &palette) {
  std::string path = palette.text;
  ImGui::PushTextWrapPos(0);
  if (palette.confirmed == path)
    ImGui::TextUnformatted("This file exists. Enter once more overwrites it.");
  else if (!isExportPath(path))
    ImGui::TextUnformatted("The ending says what is written: .svg, .png or "
                           ".dot the graph as shown; .html or .md a report of "
                           "the file; .json the trace.");
  else
    ImGui::TextUnformatted("Enter writes it.");
  ImGui::PopTextWrapPos();
}

/// A field has the keyboard only from its second frame on, with all its text
/// selected. What was typed before is kept here and put in then.
static void takeEarlyLetters(Palette &palette) {
  for (ImWchar letter : ImGui::GetIO().InputQueueCharacters)
    if (letter >= 32 && letter < 127)
      palette.early += char(letter);
}

static int onField(ImGuiInputTextCallbackData *data) {
  auto &palette = *static_cast<Palette *>(data->UserData);
  if (palette.hasField)
    return 0;
  palette.hasField = true;
  // A proposed name is typed over, a folder is added to.
  bool isProposal = palette.mode == PaletteMode::exportTo;
  std::string text = isProposal && !palette.early.empty() ? "" : palette.first;
  text += palette.early;
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, text.c_str());
  data->CursorPos = data->BufTextLen;
  data->ClearSelection();
  if (isProposal && palette.early.empty())
    data->SelectAll();
  return 0;
}

void drawPalette(Workspace &workspace) {
  Palette &palette = workspace.palette;
  if (palette.mode == PaletteMode::closed)
    return;
  ImVec2 size = ImGui::GetIO().DisplaySize;
  float scale = uiScale();
  bool isPrompt = palette.mode == PaletteMode::exportTo;
  float width = std::min(size.x - 10, 640 * scale);
  ImGui::SetNextWindowPos(
      {(size.x - width) / 2, std::min(60 * scale, size.y * 0.1f)});
  ImGui::SetNextWindowSize(
      {width, std::min(size.y * 0.8f, (isPrompt ? 84 : 420) * scale)});
  ImGui::SetNextWindowFocus();
  ImGui::Begin("##palette", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, 0);
  ImGui::SetNextItemWidth(-1);
  if (palette.isNew)
    ImGui::SetKeyboardFocusHere();
  if (!palette.hasField)
    takeEarlyLetters(palette);
  ImGui::PushID(palette.serial);
  ImGui::InputTextWithHint(
      "##text", hintOf(palette.mode), palette.text, sizeof palette.text,
      ImGuiInputTextFlags_CallbackAlways, onField, &palette);
  // Wherever the cursor is: after a question the field has lost it.
  bool entered = ImGui::IsKeyPressed(Key::enter, false) ||
                 ImGui::IsKeyPressed(Key::keypadEnter, false);
  ImGui::PopID();
  palette.isNew = false;
  search(workspace);
  int count = int(palette.hits.size());
  int move = ImGui::IsKeyPressed(Key::down) - ImGui::IsKeyPressed(Key::up);
  if (move && count) {
    palette.chosen = std::clamp(palette.chosen + move, 0, count - 1);
    palette.scrolls = true;
  }
  if (isPrompt)
    drawExportNote(palette);
  else
    drawHits(workspace);
  ImGui::PopStyleColor();
  ImGui::End();
  if (entered && palette.mode != PaletteMode::closed) {
    bool hasHit = palette.chosen < int(palette.hits.size());
    accept(workspace,
           hasHit
               ? &palette.entries[size_t(palette.hits[size_t(palette.chosen)])]
               : nullptr);
    // Enter has left the field; if the palette is still there, go on typing.
    palette.isNew = true;
  }
  if (ImGui::IsKeyPressed(Key::escape, false))
    palette.mode = PaletteMode::closed;
}

void drawHelp(Workspace &workspace) {
  if (!workspace.showsHelp)
    return;
  ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always,
                          {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(size.x - 10, 980 * uiScale()),
                            std::min(size.y - 10, 620 * uiScale())});
  ImGui::Begin("Keys and commands", &workspace.showsHelp,
               ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoCollapse);
  std::map<std::string, std::vector<const Command *>> groups;
  for (const Command &command : workspace.commands.all())
    groups[command.name.group].push_back(&command);
  int columns = size.x > 900 * uiScale() ? 2 : 1;
  if (ImGui::BeginTable("groups", columns)) {
    for (const auto &[group, commands] : groups) {
      ImGui::TableNextColumn();
      ImGui::TextDisabled("%s", group.c_str());
      for (const Command *command : commands) {
        std::string keys;
        for (const Chord &chord : command->name.chords)
          keys += (keys.empty() ? "" : ", ") + textOf(chord);
        ImGui::Text("  %-22s %s", keys.c_str(), command->name.title.c_str());
      }
      ImGui::Spacing();
    }
    ImGui::EndTable();
  }
  ImGui::TextDisabled("Graph: drag to move, wheel to zoom, click to select");
  ImGui::End();
}

} // namespace memreflens::viewer
