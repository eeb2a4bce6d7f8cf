//===- tests/viewer/RunTest.cpp - the program, run from the window --------===//

#include "tests/viewer/Fixture.h"

#include <chrono>
#include <thread>

namespace memreflens::viewer {
namespace {

constexpr char loop[] = R"(func.func @f(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  }
  return
}
)";

class Ran : public Viewer {
protected:
  ProgramRun &run() { return tab().run; }
  void runWith(const std::string &arguments) {
    std::snprintf(run().fields.arguments, sizeof run().fields.arguments, "%s",
                  arguments.c_str());
    // As the command does; the frames take the panel and the graph.
    press({.key = 'R', .ctrl = true, .shift = true});
    frame();
  }
  std::string noteOf(const std::string &title) {
    const Scene *scene = tab().scenes.current();
    for (const graph::Node &node : scene->picture.nodes)
      if (node.title == title)
        return node.note;
    return "no such node";
  }
  std::string countsOf(const std::string &op) {
    for (const Fact &row : run().rows().rows)
      if (row.cells[2] == op && row.cells[0] == "allocated")
        return row.cells[1] + " " + row.cells[3] + " " + row.cells[4];
    return "no such row";
  }
};

TEST_F(Ran, countsStandInThePanelAndOnTheGraphOfTheStageThatRan) {
  openFile(write("loop.mlir", loop));
  runWith("n=7");
  ASSERT_EQ(run().problem(), "");
  ASSERT_TRUE(run().last());
  EXPECT_EQ(countsOf("%a"),
            "5:5 7x 32 B each, at most 1 at once, deallocated 7x");
  EXPECT_TRUE(state().showsStageGraph);
  EXPECT_EQ(state().place.stage, run().last()->stage);
  EXPECT_EQ(noteOf("body"), "ran 7x");
  // Each run is of its own arguments.
  runWith("n=0");
  EXPECT_EQ(noteOf("body"), "never ran");
  // Another stage did not run.
  selectStage(state(), program(), 3);
  frame();
  frame();
  EXPECT_EQ(noteOf("body"), "");
}

TEST_F(Ran, whatWentWrongIsToldInTheWordsOfTheCommand) {
  openFile(write("loop.mlir", loop));
  runWith("m=7");
  EXPECT_FALSE(run().last());
  EXPECT_NE(run().problem().find("@f has no argument 'm'"), std::string::npos)
      << run().problem();
  // What does not reach the function's arguments stays an argument.
  runWith("-o/nowhere n=1");
  EXPECT_NE(run().problem(), "");
}

TEST_F(Ran, aRunIsStoppedAndTheLastCountsStay) {
  openFile(write("loop.mlir", loop));
  runWith("n=3");
  ASSERT_TRUE(run().last());
  workspace.waits = false;
  runWith("n=1000000000000");
  EXPECT_TRUE(run().isRunning());
  run().stop();
  using Clock = std::chrono::steady_clock;
  const auto last = Clock::now() + std::chrono::seconds(20);
  while (run().isRunning() && Clock::now() < last) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    frame();
  }
  EXPECT_FALSE(run().isRunning());
  EXPECT_EQ(run().problem(), "the run was stopped");
  EXPECT_EQ(countsOf("%a"),
            "5:5 3x 32 B each, at most 1 at once, deallocated 3x");
}

TEST_F(Ran, countsAreOfTheTextThatRan) {
  openFile(write("loop.mlir", loop));
  runWith("n=2");
  ASSERT_TRUE(state().run);
  write("loop.mlir", std::string("// changed\n") + loop);
  reload(workspace, tab());
  waitForLoads(workspace);
  frame();
  EXPECT_FALSE(state().run);
  EXPECT_FALSE(run().last());
}

TEST_F(Ran, aFileThatChangedSinceItWasReadHasNoCounts) {
  openFile(write("loop.mlir", loop));
  Progress progress;
  write("loop.mlir", std::string("// changed\n") + loop);
  ProgramRunResult result = runProgram({{folder + "loop.mlir", {}}, "f", "n=2"},
                                       workspace.tool, program(), progress);
  EXPECT_FALSE(result.run);
  EXPECT_NE(result.error.find("earlier text of it"), std::string::npos)
      << result.error;
}

} // namespace
} // namespace memreflens::viewer
