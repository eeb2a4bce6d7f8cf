//===- tests/viewer/KeptTest.cpp - what nobody can make again -------------===//
//
// Bookmarks, notes and settings: with several viewers, with files that somebody
// broke, and on links. And programs that are started: as they are named, and
// not for longer than the viewer lives.
//
//===----------------------------------------------------------------------===//

#include "tests/support/TemporaryFolder.h"
#include "viewer/work/Bookmarks.h"
#include "viewer/work/Child.h"
#include "viewer/work/Editor.h"
#include "viewer/work/Settings.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace memreflens;
using namespace memreflens::viewer;
namespace fs = std::filesystem;

namespace {
class Kept : public test::TemporaryFolder {
protected:
  static Bookmark mark(const std::string &function, const std::string &note) {
    Bookmark bookmark;
    bookmark.anchor.function = function;
    bookmark.note = note;
    return bookmark;
  }
  Bookmarks read() { return readBookmarks(at("notes.json")); }
  bool write(Bookmarks &mine, Bookmarks &before) {
    return writeBookmarks(mine, before, at("notes.json"));
  }
};
} // namespace

//===--- Bookmarks --------------------------------------------------------===//

TEST_F(Kept, TwoViewersLoseNoneOfTheirNotes) {
  Bookmarks mine = {mark("a", "mine")}, mineBefore;
  ASSERT_TRUE(write(mine, mineBefore));
  Bookmarks theirs = read(), theirsBefore = theirs;
  theirs.push_back(mark("b", "theirs"));
  ASSERT_TRUE(write(theirs, theirsBefore));
  mine.push_back(mark("c", "mine too"));
  ASSERT_TRUE(write(mine, mineBefore));
  EXPECT_EQ(read(), (Bookmarks{mark("a", "mine"), mark("c", "mine too"),
                               mark("b", "theirs")}));
  // Of one place both have written: both stay.
  theirs[0].note = "their words";
  ASSERT_TRUE(write(theirs, theirsBefore));
  mine[0].note = "my words";
  ASSERT_TRUE(write(mine, mineBefore));
  EXPECT_EQ(read()[0].note, "my words / their words");
  // What is taken away does not come back.
  mine.erase(mine.begin());
  ASSERT_TRUE(write(mine, mineBefore));
  EXPECT_EQ(read().size(), 2u);
}

TEST_F(Kept, ANoteThatIsNoUtf8IsTakenAwayForGood) {
  Bookmarks mine = {mark("a", "\xff"), mark("b", "")}, before;
  ASSERT_TRUE(write(mine, before));
  mine.erase(mine.begin());
  ASSERT_TRUE(write(mine, before));
  EXPECT_EQ(read(), Bookmarks{mark("b", "")});
  mine.clear();
  ASSERT_TRUE(write(mine, before));
  EXPECT_FALSE(fs::exists(at("notes.json")));
}

TEST_F(Kept, NotesThatSomebodyBrokeAreSetAside) {
  for (int turn = 0; turn < 2; ++turn) {
    const std::string text = "{\"bookmarks\": [ {\"note\": \"dear\" },,, ";
    put("notes.json", text);
    Bookmarks none, before;
    EXPECT_TRUE(write(none, before));
    EXPECT_EQ(contents("notes.json"), text);
    Bookmarks mine = {mark("a", "new")};
    ASSERT_TRUE(write(mine, before));
    EXPECT_EQ(read(), mine);
    EXPECT_EQ(contents(turn ? "notes.json.broken-2" : "notes.json.broken"),
              text);
  }
}

TEST_F(Kept, WhatCannotBeWrittenIsToldAndStays) {
  Bookmarks mine = {mark("a", "x")}, before;
  EXPECT_FALSE(writeBookmarks(mine, before, at("none/notes.json")));
  EXPECT_EQ(mine.size(), 1u);
  fs::create_directory(at("notes.json"));
  EXPECT_FALSE(write(mine, before));
  EXPECT_TRUE(fs::is_directory(at("notes.json")));
}

//===--- Settings ---------------------------------------------------------===//

TEST_F(Kept, SettingsOfOtherVersionsAndViewersStay) {
  put("viewer.json", R"({"later": {"x": 1}, "recent": ["/b", "/c"]})");
  Settings settings = readSettings(at("viewer.json"));
  settings.recent = {"/a", "/b"};
  ASSERT_TRUE(writeSettings(settings, at("viewer.json")));
  EXPECT_NE(contents("viewer.json").find("\"later\""), std::string::npos);
  EXPECT_EQ(readSettings(at("viewer.json")).recent,
            (std::vector<std::string>{"/a", "/b", "/c"}));
}

TEST_F(Kept, SettingsThatSomebodyBrokeAreSetAside) {
  put("viewer.json", "{ theme: light");
  ASSERT_TRUE(writeSettings({}, at("viewer.json")));
  EXPECT_EQ(readSettings(at("viewer.json")), Settings());
  EXPECT_EQ(contents("viewer.json.broken"), "{ theme: light");
}

TEST_F(Kept, SettingsOnALinkStayThere) {
  fs::create_directory(at("dotfiles"));
  put("dotfiles/viewer.json", "{}");
  fs::create_symlink("dotfiles/viewer.json", at("viewer.json"));
  ASSERT_TRUE(writeSettings({}, at("viewer.json")));
  EXPECT_TRUE(fs::is_symlink(at("viewer.json")));
  EXPECT_NE(contents("dotfiles/viewer.json"), "{}");
}

//===--- Programs ---------------------------------------------------------===//

template <typename Condition> static bool waitUntil(Condition condition) {
  for (int turn = 0; turn < 6000 && !condition(); ++turn)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return condition();
}

static bool isRunning(const std::string &argument) {
  std::error_code error;
  for (const auto &entry : fs::directory_iterator("/proc", error)) {
    std::ifstream in(entry.path() / "cmdline", std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (text.str().find(argument) != std::string::npos &&
        text.str().starts_with("sleep"))
      return true;
  }
  return false;
}

TEST_F(Kept, AChildEndsWithTheViewer) {
  std::string seconds = "9" + std::to_string(getpid()) + ".5";
  pid_t viewer = fork();
  if (viewer == 0) {
    runChild({"sleep", seconds}, at("errors"), [] { return true; });
    _exit(0);
  }
  ASSERT_TRUE(waitUntil([&] { return isRunning(seconds); }));
  kill(viewer, SIGKILL);
  waitpid(viewer, nullptr, 0);
  EXPECT_TRUE(waitUntil([&] { return !isRunning(seconds); }));
}

TEST_F(Kept, AChildGetsItsWordsAsTheyAre) {
  std::string name = at("$(touch x) `touch y`; touch z | \n'\" & \xff *?~ -rf");
  EXPECT_EQ(runChild({"touch", name}, at("errors"), [] { return true; }), 0);
  EXPECT_TRUE(fs::exists(name));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
  EXPECT_EQ(runChild({"no such program"}, at("errors"), [] { return true; }),
            127);
}

TEST_F(Kept, TheEditorGetsThePathAsItIs) {
  std::string name = at("$(touch x) `touch y`; \n'\" & \xff *?~ .mlir");
  Program program(trace::Trace{});
  setenv("VISUAL", "touch --", 1);
  fs::path before = fs::current_path();
  fs::current_path(folder);
  std::string said = openInEditor(program, {}, name);
  EXPECT_TRUE(said.starts_with("opened ")) << said;
  EXPECT_TRUE(waitUntil([&] { return fs::exists(name); }));
  EXPECT_TRUE(waitUntil([&] { return fs::exists(at("+1")); }));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
  // A line break or a quote in $VISUAL is no command either.
  setenv("VISUAL", "no-such-editor; touch \"z", 1);
  said = openInEditor(program, {}, name);
  EXPECT_TRUE(said.starts_with("cannot run no-such-editor;")) << said;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
  fs::current_path(before);
  unsetenv("VISUAL");
}
