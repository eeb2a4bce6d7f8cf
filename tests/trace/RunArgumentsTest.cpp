//===- tests/trace/RunArgumentsTest.cpp - options of a run, as typed ------===//

#include "core/trace/RunArguments.h"
#include "tests/support/EveryField.h"

#include <gtest/gtest.h>

namespace memreflens::trace {
namespace {

test::Filler filler() {
  test::Filler made;
  // Of enumerations, the first is the default.
  made.round = 1;
  return made;
}

TEST(RunArguments, everyFieldIsTyped) {
  fields::forEach<RunOptions>([](const auto &field) {
    RunOptions without;
    // Its options are typed with it.
    without.bufferize = std::string_view(field.name) == "bufferizeOptions";
    RunOptions with = without;
    filler().fill(with.*field.member, field);
    EXPECT_NE(argumentsOf(with), argumentsOf(without)) << field.name;
  });
}

TEST(RunArguments, whatIsTypedIsTaken) {
  RunOptions run, taken;
  filler().fillObject(run);
  run.passes.clear();
  // Not any text is a size.
  run.sizes = {"%n=1024", "@f:0:1=32", "@outer:2=7"};
  run.contracts = {"keeps-results=@pool", "releases-argument=@f:1"};
  for (const std::string &argument : argumentsOf(run))
    EXPECT_TRUE(takeArgument(argument, taken)) << argument;
  EXPECT_TRUE(test::same(taken, run));
}

TEST(RunArguments, spelling) {
  RunOptions run;
  run.bufferize = true;
  run.passes = {"func.func(buffer-hoisting)", "cse"};
  run.unregistered = UnregisteredOps::assumeReads;
  run.skipSimplificationOver = 5000;
  run.passPlugins = {"lib/A.so", "B.so"};
  EXPECT_EQ(
      argumentsOf(withoutFolders(run)),
      (std::vector<std::string>{
          "--bufferize",
          "--pipeline=builtin.module(func.func(buffer-hoisting),cse)",
          "--unregistered=assume-reads", "--skip-simplification-over=5000",
          "--load-pass-plugin=A.so", "--load-pass-plugin=B.so"}));
}

TEST(RunArguments, othersAreNotTaken) {
  for (const char *argument :
       {"", "--unknown", "--pre", "--aliases=on", "--refine=all",
        "--unregistered=perhaps", "--skip-simplification-over=0",
        "--skip-simplification-over=5x", "--assume=%n",
        "--assume=%n=", "--assume=%n=-1", "--assume=@f=3", "--assume=@f:x:0=3",
        "--load-pass-plugin=", "--load-pass-plugin"}) {
    RunOptions run;
    EXPECT_FALSE(takeArgument(argument, run)) << argument;
    EXPECT_TRUE(test::same(run, RunOptions{})) << argument;
  }
}

} // namespace
} // namespace memreflens::trace
