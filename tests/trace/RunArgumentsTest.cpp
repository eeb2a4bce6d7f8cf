//===- tests/trace/RunArgumentsTest.cpp - options of a run, as typed ------===//

#include "core/trace/RunArguments.h"
#include "core/trace/Sizes.h"
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
  // Not any text is a size, or a memory space.
  run.sizes = {"%n=1024", "@f:0:1=32", "@outer:2=7", "!x.tile=2KiB"};
  run.spaces = {"2=L1,64KiB", "#gpu.address_space<workgroup>=64KiB", "1=L2"};
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
TEST(RunArguments, spacesAreRead) {
  auto read = [](const char *text) {
    const std::optional<StatedSpace> space = spaceIn(text);
    return space ? space->space + "|" + space->name + "|" +
                       std::to_string(space->bytes)
                 : std::string("no");
  };
  EXPECT_EQ(read("2=L1,64KiB"), "2|L1|65536");
  EXPECT_EQ(read("2=64KiB"), "2||65536");
  EXPECT_EQ(read("2=1000"), "2||1000");
  EXPECT_EQ(read("2=L1"), "2|L1|-1");
  EXPECT_EQ(read("0=main"), "|main|-1");
  EXPECT_EQ(read("#x.space<a = 1>=L1,1MiB"), "#x.space<a = 1>|L1|1048576");
  for (const char *wrong :
       {"", "2", "=L1", "2=", "2=L1,", "2=,64KiB", "2=L1,lots", "2=9L",
        "2=L1,64KiB,1", "2=99999999999999999999"})
    EXPECT_EQ(read(wrong), "no") << wrong;
}

TEST(RunArguments, spacesAreCalled) {
  EXPECT_TRUE(isSpaceCalled({}, "2", "2"));
  EXPECT_TRUE(isSpaceCalled({}, "", "0"));
  EXPECT_TRUE(isSpaceCalled({}, "#gpu.address_space<workgroup>", "workgroup"));
  EXPECT_TRUE(isSpaceCalled({"2=L1,64KiB"}, "2", "L1"));
  EXPECT_FALSE(isSpaceCalled({"2=L1,64KiB"}, "1", "L1"));
}

} // namespace memreflens::trace
