//===- tests/viewer/FindingsTest.cpp - findings; places without a value ---===//

#include "tests/viewer/Fixture.h"

#include "viewer/panels/Texts.h"
#include "viewer/state/TableView.h"

#include <algorithm>
#include <fstream>

namespace memreflens::viewer {
namespace {

constexpr char freedTwice[] = R"(func.func @twice(%c: i1) {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  cf.br ^bb2
^bb2:
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return
}
func.func @copied(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}
)";

class Found : public Viewer {
protected:
  Findings &findings() { return tab().findings; }
  void openChecked(const std::string &text, const std::string &name) {
    openFile(write(name, text));
    ASSERT_TRUE(tab().program) << tab().error;
    tab().wantedPanel = findingsPanel;
    frame();
    frame();
    ASSERT_TRUE(findings().wasAsked());
    ASSERT_EQ(findings().problem(), "");
  }
  int numberOf(const std::string &rule) {
    for (size_t i = 0; i < findings().all().size(); ++i)
      if (findings().all()[i].rule == rule)
        return int(i);
    return -1;
  }
  /// Line of the mark, from 1.
  uint32_t markedLine() {
    const std::string &text = program().trace.source.text;
    return uint32_t(std::count(text.begin(),
                               text.begin() + state().place.mark.begin, '\n')) +
           1;
  }
  std::string blockName() {
    return program().lookup.blockName(state().place.block);
  }
};

TEST_F(Found, tableHoldsWhatTheCheckFinds) {
  openChecked(freedTwice, "twice.mlir");
  int number = numberOf("double-free");
  ASSERT_GE(number, 0);
  const FactTable &table = findings().rows();
  ASSERT_EQ(table.rows.size(), findings().all().size());
  const std::vector<std::string> &cells = table.rows[size_t(number)].cells;
  ASSERT_EQ(cells.size(), table.columns.size());
  // It is told of, and nobody is taken anywhere.
  EXPECT_EQ(findings().chosen, 0);
  EXPECT_TRUE(state().place.mark.empty());
  EXPECT_EQ(cells[0], "error");
  EXPECT_EQ(cells[1], "8:3");
  EXPECT_EQ(cells[3], "@twice");
  EXPECT_NE(cells[4].find("deallocated again"), std::string::npos) << cells[4];
  EXPECT_FALSE(cells[5].empty());
  // Another read, and what was found is of the old text.
  write("twice.mlir", "func.func @none() {\n  return\n}\n");
  reload(workspace, tab());
  waitForLoads(workspace);
  EXPECT_FALSE(findings().wasAsked());
  frame();
  EXPECT_TRUE(findings().wasAsked());
  EXPECT_TRUE(findings().all().empty());
}

TEST_F(Found, pathIsWalkedStepByStep) {
  openChecked(freedTwice, "twice.mlir");
  int number = numberOf("double-free");
  ASSERT_GE(number, 0);
  findings().choose(program(), state(), number, 0);
  struct Stop {
    uint32_t line;
    const char *block;
  };
  size_t steps = findings().all()[size_t(number)].path.size();
  ASSERT_EQ(steps, 4u);
  for (Stop stop :
       {Stop{2, "^bb0"}, Stop{3, "^bb0"}, Stop{5, "^bb1"}, Stop{8, "^bb2"}}) {
    EXPECT_EQ(markedLine(), stop.line);
    EXPECT_EQ(blockName(), stop.block);
    EXPECT_EQ(findings().chosen, number);
    EXPECT_GT(frame(), 200);
    if (findings().step + 1 < int(steps))
      press({Key::f8});
  }
  press({.key = Key::f8, .shift = true});
  EXPECT_EQ(markedLine(), 5u);
  EXPECT_NE(windowTitle(workspace).find("^bb1"), std::string::npos);
  press({.key = Key::left, .alt = true});
  EXPECT_EQ(markedLine(), 8u);
  // From the end of the path to the next finding, and back.
  findings().choose(program(), state(), number, int(steps) - 1);
  size_t count = findings().all().size();
  press({Key::f8});
  EXPECT_EQ(findings().chosen, int((size_t(number) + 1) % count));
  press({.key = Key::f8, .shift = true});
  EXPECT_EQ(findings().chosen, number);
  EXPECT_EQ(findings().step, int(steps) - 1);
  press({.key = Key::f8, .ctrl = true});
  EXPECT_EQ(findings().chosen, int((size_t(number) + 1) % count));
}

TEST_F(Found, clickGoesToTheFunctionOfTheFinding) {
  openChecked(freedTwice, "twice.mlir");
  int copied = -1;
  for (size_t i = 0; i < findings().all().size(); ++i)
    if (findings().all()[i].function == "copied")
      copied = int(i);
  ASSERT_GE(copied, 0);
  EXPECT_EQ(nameOfFunction(), "twice");
  // The rows below the head: one of them is about the other function.
  for (float y = 480; y < 700 && nameOfFunction() != "copied"; y += 6)
    click(420, y);
  EXPECT_EQ(nameOfFunction(), "copied");
  EXPECT_EQ(findings().all()[size_t(findings().chosen)].function, "copied");
}

TEST_F(Found, whatCannotBeCheckedSaysSo) {
  openFile(write("broken.mlir", "func.func @f( {\n"));
  tab().wantedPanel = findingsPanel;
  frame();
  frame();
  EXPECT_NE(findings().problem(), "");
  EXPECT_GT(frame(), 200);
  press({Key::f8});
  openSample("diamond.mlir");
  workspace.tool = "/nowhere/memref-lens";
  checkNow(workspace, tab());
  EXPECT_NE(findings().problem().find("/nowhere"), std::string::npos);
  // A saved trace: nothing is run.
  Tab trace;
  trace.request.path = "a.trace.json";
  checkNow(workspace, trace);
  EXPECT_FALSE(trace.findings.wasAsked());
}

TEST_F(Found, checkCanBeStopped) {
  openSample("diamond.mlir");
  // A tool that never ends.
  std::string tool = write("slow", "#!/bin/sh\nsleep 60\n");
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  workspace.tool = tool;
  workspace.waits = false;
  press({Key::f8});
  EXPECT_TRUE(findings().isRunning());
  press({.key = '.', .ctrl = true});
  while (findings().isRunning())
    frame();
  EXPECT_EQ(findings().problem(), "the check was stopped");
}

//===--- Places without a value -------------------------------------------===//

TEST_F(Found, lineWithoutAValueSelectsItsOpOrBlock) {
  openFile(write("twice.mlir", freedTwice));
  auto go = [&](uint32_t line, uint32_t column) {
    selectOffset(state(), program(),
                 offsetOfLine(program().trace, line) + column - 1);
    frame();
  };
  go(5, 4);
  const trace::Op *op = program().lookup.op(state().place.op);
  ASSERT_TRUE(op);
  EXPECT_EQ(op->name, "memref.dealloc");
  EXPECT_EQ(blockName(), "^bb1");
  EXPECT_EQ(markedLine(), 5u);
  go(7, 2);
  EXPECT_EQ(blockName(), "^bb2");
  go(12, 4);
  EXPECT_EQ(nameOfFunction(), "copied");
  op = program().lookup.op(state().place.op);
  ASSERT_TRUE(op);
  EXPECT_EQ(op->name, "func.return");
  // A name is still a value, and no op.
  go(2, 4);
  EXPECT_EQ(nameOfSelected(), "%a");
  EXPECT_EQ(state().place.op, none);
  EXPECT_TRUE(state().place.mark.empty());
}

TEST_F(Found, rejectedFunctionsAreProblems) {
  openSample("one-rejected-of-three.mlir");
  EXPECT_TRUE(program().trace.problems.empty());
  EXPECT_EQ(countProblems(program(), state()), 1u);
  tab().wantedPanel = problemsPanel;
  frame();
  frame();
  // The button at the row's begin goes there.
  for (float y = 454; y < 490 && nameOfFunction() != "rejected"; y += 4)
    click(386, y);
  EXPECT_EQ(nameOfFunction(), "rejected");
  openSample("diamond.mlir");
  EXPECT_EQ(countProblems(program(), state()), 0u);
}

/// What opens first: causes, with what mends them; a click goes to the place.
TEST_F(Found, overviewIsTheFirstPanel) {
  openFile(write("copied.mlir", freedTwice));
  frame();
  frame();
  ASSERT_TRUE(findings().wasAsked());
  const Overview &overview = findings().overview();
  ASSERT_GE(overview.entries.size(), 2u);
  EXPECT_NE(overview.counts.find("2 functions"), std::string::npos)
      << overview.counts;
  EXPECT_TRUE(state().place.mark.empty());
  size_t last = overview.entries.size() - 1;
  for (float y = 440; y < 700 && findings().entry != int(last); y += 3) {
    click(420, y);
    // What is open moves the others.
    if (findings().entry >= 0 && findings().entry != int(last))
      click(420, y);
  }
  ASSERT_EQ(findings().entry, int(last));
  EXPECT_EQ(markedLine(), overview.entries[last].place.line);
}

/// A trace tells its causes without the program; what is not tried, is not
/// told of.
TEST_F(Found, overviewOfASavedTrace) {
  std::string path = write("twice.mlir", freedTwice);
  std::string saved = folder + "twice.trace.json";
  ASSERT_EQ(
      std::system((workspace.tool + " trace " + path + " -o " + saved).c_str()),
      0);
  openFile(saved);
  frame();
  frame();
  ASSERT_TRUE(findings().wasAsked());
  EXPECT_EQ(findings().problem(), "");
  ASSERT_EQ(findings().overview().entries.size(), 1u);
  EXPECT_NE(findings().overview().entries[0].sentence.find("returns"),
            std::string::npos);
  EXPECT_EQ(numberOf("double-free"), -1);
}

/// What bufferization made comes first, with what it costs.
TEST_F(Found, overviewOfTensors) {
  std::string path = write("insert.mlir", R"(
func.func @f(%x: tensor<4xf32>, %t: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %y = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %y into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}
)");
  std::string saved = folder + "insert.trace.json";
  ASSERT_EQ(std::system(
                (workspace.tool + " trace --bufferize " + path + " -o " + saved)
                    .c_str()),
            0);
  openFile(saved);
  frame();
  frame();
  const Overview &overview = findings().overview();
  EXPECT_EQ(overview.tensors,
            "5 tensor operands, all in place; 1 buffer, 16 B; 1 copy, 16 B");
  ASSERT_FALSE(overview.entries.empty());
  EXPECT_EQ(overview.entries[0].costs, "1 copy, 16 B; 1 buffer, 16 B");
  EXPECT_EQ(overview.entries[0].place.line, 5u);
}

TEST_F(Found, numbersSortByTheirSize) {
  EXPECT_TRUE(isBefore("%9", "%10"));
  EXPECT_FALSE(isBefore("%10", "%9"));
  EXPECT_TRUE(isBefore("9:3", "10:1"));
  EXPECT_TRUE(isBefore("a", "ab"));
  EXPECT_FALSE(isBefore("x1", "x01"));
  EXPECT_TRUE(isBefore("", "a"));
}

} // namespace
} // namespace memreflens::viewer
