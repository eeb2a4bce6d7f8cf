//===- tests/hardening/FilesTest.cpp - core/files, and text for terminals -===//

#include "core/explain/PlainText.h"
#include "core/files/ReadFile.h"
#include "core/files/UnnamedFile.h"
#include "core/files/WholeFile.h"
#include "tests/support/TemporaryFolder.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace memreflens;
namespace fs = std::filesystem;

namespace {
class Files : public test::TemporaryFolder {
protected:
  std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto &entry : fs::directory_iterator(folder))
      found.push_back(entry.path().filename().string());
    std::ranges::sort(found);
    return found;
  }
  using Names = std::vector<std::string>;

  std::string error;
};
} // namespace

//===--- Writing ----------------------------------------------------------===//

TEST_F(Files, NothingIsThereBeforeItIsKept) {
  put("old", "old");
  {
    WholeFile file(at("old"));
    ASSERT_TRUE(file.write("new"));
    EXPECT_EQ(names(), Names{"old"});
    EXPECT_EQ(contents("old"), "old");
  }
  EXPECT_EQ(contents("old"), "old");
  EXPECT_TRUE(writeWhole(at("old"), "newer", {}, error)) << error;
  EXPECT_EQ(contents("old"), "newer");
  EXPECT_EQ(names(), Names{"old"});
}

TEST_F(Files, AProcessThatIsKilledLeavesTheOldFile) {
  put("old", "old");
  pid_t child = fork();
  if (child == 0) {
    WholeFile file(at("old"));
    file.write("half");
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(contents("old"), "old");
  EXPECT_EQ(names(), Names{"old"});
}

TEST_F(Files, WhatIsTooLargeLeavesTheOldFile) {
  put("old", "old");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before, small;
  getrlimit(RLIMIT_FSIZE, &before);
  small = {1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  bool isWritten = writeWhole(at("old"), std::string(5000, 'x'), {}, error);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_FALSE(isWritten);
  EXPECT_EQ(error, "File too large");
  EXPECT_EQ(contents("old"), "old");
  EXPECT_EQ(names(), Names{"old"});
}

TEST_F(Files, PermissionsStayAndNewOnesAreAsAsked) {
  put("old", "old");
  fs::permissions(at("old"), fs::perms(0604));
  EXPECT_TRUE(writeWhole(at("old"), "new", {}, error));
  EXPECT_EQ(fs::status(at("old")).permissions(), fs::perms(0604));
  WholeFileOptions options;
  options.mode = 0600;
  EXPECT_TRUE(writeWhole(at("secret"), "x", options, error));
  EXPECT_EQ(fs::status(at("secret")).permissions(), fs::perms(0600));
}

TEST_F(Files, ANewFileTakesNoOthersPlace) {
  put("old", "old");
  fs::create_symlink("nowhere", at("link"));
  WholeFileOptions options;
  options.isNew = true;
  EXPECT_FALSE(writeWhole(at("old"), "new", options, error));
  EXPECT_EQ(error, "File exists");
  EXPECT_EQ(contents("old"), "old");
  EXPECT_TRUE(writeWhole(at("new"), "new", options, error)) << error;
  EXPECT_EQ(contents("new"), "new");
  EXPECT_EQ(names(), (Names{"link", "new", "old"}));
}

TEST_F(Files, ALinkStaysAndItsTargetIsReplaced) {
  fs::create_directory(at("far"));
  put("far/target", "old");
  fs::create_symlink("far/target", at("link"));
  fs::create_symlink("link", at("again"));
  fs::create_symlink("far/new", at("dangling"));
  EXPECT_TRUE(writeWhole(at("again"), "new", {}, error)) << error;
  EXPECT_TRUE(fs::is_symlink(at("link")) && fs::is_symlink(at("again")));
  EXPECT_EQ(contents("far/target"), "new");
  EXPECT_TRUE(writeWhole(at("dangling"), "new", {}, error)) << error;
  EXPECT_TRUE(fs::is_symlink(at("dangling")));
  EXPECT_EQ(contents("far/new"), "new");
  fs::create_symlink("round", at("round"));
  EXPECT_FALSE(writeWhole(at("round"), "x", {}, error));
  EXPECT_EQ(error, "Too many levels of symbolic links");
}

TEST_F(Files, ALinkOfAnotherUserInASharedFolderIsNotFollowed) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  fs::create_directory(at("shared"));
  chmod(at("shared").c_str(), 01777);
  put("dear", "dear");
  fs::create_symlink(at("dear"), at("shared/out"));
  ASSERT_EQ(lchown(at("shared/out").c_str(), 12345, 12345), 0);
  EXPECT_FALSE(writeWhole(at("shared/out"), "stolen", {}, error));
  EXPECT_EQ(error, "Permission denied");
  EXPECT_EQ(contents("dear"), "dear");
}

TEST_F(Files, NamesAsLongAsTheSystemTakesThem) {
  std::string name(255, 'n');
  EXPECT_TRUE(writeWhole(at(name), "x", {}, error)) << error;
  EXPECT_EQ(contents(name), "x");
}

TEST_F(Files, WhatIsNoFileIsTold) {
  EXPECT_FALSE(writeWhole(at(""), "x", {}, error));
  EXPECT_EQ(error, "Is a directory");
  EXPECT_FALSE(writeWhole(at("none/x"), "x", {}, error));
  EXPECT_EQ(error, "No such file or directory");
  EXPECT_FALSE(writeWhole("", "x", {}, error));
  EXPECT_FALSE(writeWhole("/dev/full", "x", {}, error));
  EXPECT_EQ(error, "No space left on device");
  EXPECT_TRUE(writeWhole("/dev/null", "x", {}, error)) << error;
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

//===--- Reading ----------------------------------------------------------===//

TEST_F(Files, OnlyFilesAreReadAndNobodyWaits) {
  put("file", "text");
  EXPECT_EQ(readRegularFile(at("file"), 100, error), "text");
  EXPECT_EQ(readRegularFile(at("file"), 4, error), "text");
  EXPECT_FALSE(readRegularFile(at("file"), 3, error));
  EXPECT_NE(error.find("larger"), error.npos);
  mkfifo(at("pipe").c_str(), 0600);
  EXPECT_FALSE(readRegularFile(at("pipe"), 100, error));
  EXPECT_EQ(error, "is no file");
  EXPECT_FALSE(readRegularFile(at(""), 100, error));
  EXPECT_EQ(error, "is a folder");
  EXPECT_FALSE(readRegularFile(at("none"), 100, error));
  EXPECT_FALSE(readRegularFile("/dev/zero", 100, error));
}

TEST_F(Files, AHoleOfATerabyteIsRejected) {
  put("hole", "");
  if (truncate(at("hole").c_str(), off_t(1) << 40) != 0)
    GTEST_SKIP() << "no file of that size here";
  EXPECT_FALSE(readRegularFile(at("hole"), 1 << 20, error));
  EXPECT_EQ(error, "larger than the limit of 1 MiB");
}

/// Each of these has taken a reader down that looks first and opens then.
TEST_F(Files, AFileThatIsExchangedWhileItIsRead) {
  const std::string text(300000, 'a'), more(700000, 'a');
  std::atomic<bool> isOver = false;
  std::thread changer([&] {
    for (int turn = 0; !isOver; ++turn) {
      switch (turn % 5) {
      case 0:
        put("file", more);
        break;
      case 1:
        truncate(at("file").c_str(), 10);
        break;
      case 2:
        fs::remove(at("file"));
        mkfifo(at("file").c_str(), 0600);
        break;
      case 3:
        fs::remove(at("file"));
        fs::create_directory(at("file"));
        break;
      case 4:
        fs::remove(at("file"));
        put("file", text);
        break;
      }
    }
  });
  for (int turn = 0; turn < 400; ++turn)
    if (auto read = readRegularFile(at("file"), 1 << 20, error)) {
      EXPECT_LE(read->size(), more.size());
      EXPECT_EQ(read->find_first_not_of('a'), read->npos);
    }
  isOver = true;
  changer.join();
}

TEST_F(Files, AnUnnamedFileIsSeenByChildrenOnly) {
  UnnamedFile file;
  ASSERT_TRUE(file.isOpen());
  pid_t child = fork();
  if (child == 0) {
    std::string why;
    _exit(writeWhole(file.getPath(), "from a child", {}, why) ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(file.read(), "from a child");
  EXPECT_EQ(file.read(), "from a child");
  EXPECT_FALSE(UnnamedFile::none().isOpen());
}

//===--- Terminals --------------------------------------------------------===//

TEST(PlainText, NothingDrivesATerminal) {
  EXPECT_EQ(plainText("a\tb\nc \u00e4\u6f22"), "a\tb\nc \u00e4\u6f22");
  EXPECT_EQ(plainText("\x1b[31m\r\x7f\x07"), "\\x1b[31m\\x0d\\x7f\\x07");
  // C1 controls, alone and in UTF-8, and what is no UTF-8.
  EXPECT_EQ(plainText("\x9b\xc2\x9b\xff\xe2\x82"),
            "\\x9b\\xc2\\x9b\\xff\\xe2\\x82");
  EXPECT_EQ(plainText("\u202e\u2066x"), "\\u202e\\u2066x");
  EXPECT_EQ(plainWord("a\nb\tc"), "a\\x0ab\\x09c");
  for (int byte = 0; byte < 256; ++byte)
    for (char shown : plainWord(std::string(1, char(byte))))
      EXPECT_TRUE(shown >= 0x20 && shown < 0x7f) << byte;
}
