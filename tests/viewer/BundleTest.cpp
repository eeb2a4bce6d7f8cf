//===- tests/viewer/BundleTest.cpp - bundles are opened -------------------===//

#include "tests/viewer/Fixture.h"

#include "core/trace/Json.h"

#include <cstdlib>
#include <sstream>

namespace memreflens::viewer {
namespace {

class Bundles : public Viewer {
protected:
  /// A bundle of a sample, made by the tool.
  std::string bundle(const std::string &name) {
    std::string path = folder + name + ".tar.gz";
    std::string command = "'" + workspace.tool + "' bundle '" + sample(name) +
                          "' -o '" + path + "' 2>/dev/null </dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return path;
  }
  static std::string json(trace::Trace trace) {
    trace.source.path.clear();
    std::ostringstream out;
    trace::writeJson(trace, out);
    return std::move(out).str();
  }
};

TEST_F(Bundles, theTraceInsideIsShown) {
  openSample("diamond.mlir");
  std::string expected = json(program().trace);
  openFile(bundle("diamond.mlir"));
  ASSERT_TRUE(tab().program) << tab().error;
  EXPECT_EQ(json(program().trace), expected);
  EXPECT_EQ(tab().error, "");
  EXPECT_GT(frame(), 0);
}

TEST_F(Bundles, nothingIsRunOnThem) {
  openFile(bundle("diamond.mlir"));
  EXPECT_FALSE(canCheck(tab()));
  EXPECT_TRUE(isSavedFile("a.tar.gz"));
  EXPECT_TRUE(isSavedFile("a.json"));
  EXPECT_FALSE(isSavedFile("a.mlir"));
  frame();
}

TEST_F(Bundles, whatIsNoneIsToldAndNotShown) {
  openFile(write("bad.tar.gz", std::string("\x1f\x8b no bundle", 12)));
  EXPECT_FALSE(tab().program);
  EXPECT_NE(tab().error.find("is no bundle that can be read"),
            std::string::npos)
      << tab().error;
  frame();
}

} // namespace
} // namespace memreflens::viewer
