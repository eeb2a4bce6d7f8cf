//===- tests/viewer/ExcerptTest.cpp - one function stands for the whole ---===//

#include "tests/viewer/Fixture.h"

#include "viewer/work/Excerpt.h"

#include "core/explain/DecisionText.h"
#include "core/trace/Names.h"

#include <algorithm>

namespace memreflens::viewer {
namespace {

constexpr char heads[] = R"(#map = affine_map<(d0) -> (d0)>
module attributes {a.b = @x} {
memref.global "private" constant @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func private @far(memref<?xf32, strided<[1], offset: ?>>)
    -> (memref<4xf32> {d.x = {a = "}"}})
func.func private @near()
// func.func @none() {
func.func @caller(%x: memref<4xf32> {d.y = {e = 1}}) -> memref<4xf32>
    attributes {k = "}{", l = {m = 1}}
{
  %0 = func.call @called(%x) : (memref<4xf32>) -> memref<4xf32>
  return %0 : memref<4xf32>
}
func.func private @called(%x: memref<4xf32>) -> memref<4xf32> {
  func.call @near() : () -> ()
  return %x : memref<4xf32> // }
}
func.func @"quoted name"() -> i32 {
  %c = arith.constant {s = "\"{"} 1 : i32
  return %c : i32
}
func.func @short() { return }
func.func @long() -> i32 {
  %c1 = arith.constant 100000000 : i32
  %c2 = arith.constant 200000000 : i32
  %c3 = arith.constant 300000000 : i32
  %c4 = arith.constant 400000000 : i32
  %c5 = arith.constant 500000000 : i32
  return %c1 : i32
}
}
)";

bool has(const std::string &text, std::string_view part) {
  return text.find(part) != text.npos;
}

TEST(Excerpt, keepsWhatTheFunctionNames) {
  std::string text = excerptOf(heads, "caller");
  ASSERT_EQ(text.size(), std::string_view(heads).size());
  for (const char *kept : {"@far", "@near()\n", "@caller(",
                           "@called(%x: ", "@g :", "#map", "return %0 "})
    EXPECT_TRUE(has(text, kept)) << kept << "\n" << text;
  for (const char *gone : {"@short", "@long", "quoted name", "100000000"})
    EXPECT_FALSE(has(text, gone)) << gone << "\n" << text;
  // Lines are where they were.
  for (size_t i = 0; i < text.size(); ++i)
    EXPECT_EQ(text[i] == '\n', heads[i] == '\n');
}

TEST(Excerpt, functionsAreToldApart) {
  EXPECT_TRUE(has(excerptOf(heads, "short"), "@short() { return }\n"));
  EXPECT_FALSE(has(excerptOf(heads, "short"), "@called(%x"));
  EXPECT_TRUE(has(excerptOf(heads, "\"quoted name\""), "return %c : i32"));
  // Not there, only declared, in a comment; most of the program; not MLIR.
  EXPECT_EQ(excerptOf(heads, "missing"), "");
  EXPECT_EQ(excerptOf(heads, "near"), "");
  EXPECT_EQ(excerptOf(heads, "none"), "");
  EXPECT_EQ(excerptOf("func.func @a() { return }\n", "a"), "");
  for (const char *broken :
       {"func.func", "func.func @a() {", "func.func @a(\"", "func.func @a)",
        "func.func @a() { \"\\\"", "func.func @a() -> ("})
    EXPECT_EQ(excerptOf(broken, "a"), "") << broken;
}

class Excerpts : public Viewer {
protected:
  LoadResult loaded(const std::string &path) {
    Progress progress;
    return load({path, {}}, workspace.tool, progress);
  }
  /// Deallocs are numbered in the file as a whole.
  static std::string withoutNumbers(std::string text) {
    for (size_t at = text.find('#'); at != text.npos; at = text.find('#', at)) {
      size_t end = text.find_first_not_of("0123456789", ++at);
      text.erase(at, std::min(end, text.size()) - at);
    }
    return text;
  }
  /// All that is decided in the function at that byte, in words and at places.
  static std::string decisionsOf(const Program &read, uint32_t begin) {
    std::string text;
    for (const trace::Function &function : read.trace.functions) {
      if (function.range.begin != begin)
        continue;
      text += "@" + function.name + " " +
              std::string(trace::nameOf(function.status)) + "\n";
      for (Id id : read.lookup.eventsOfFunction(function.id)) {
        const trace::Event &event = read.trace.events[size_t(id)];
        std::string place =
            read.lookup.position(rangeOfEvent(read.lookup, event));
        // Which dead ops are told to be removed is not the same in each run.
        const auto *rewrite = std::get_if<trace::RewriteEvent>(&event.detail);
        if (rewrite && rewrite->kind != trace::RewriteKind::pattern)
          continue;
        text += std::to_string(event.stage) + " " +
                read.lookup.blockName(event.block) + " " +
                withoutNumbers(explainEvent(read.lookup, id).sentence) + " " +
                place + "\n";
      }
    }
    return text;
  }
  /// How many excerpts of a file were compared with the whole of it.
  int checkFile(const std::string &path) {
    std::string text = read(path);
    if (!has(text, "func.func"))
      return 0;
    LoadResult whole = loaded(path);
    if (!whole.program || !whole.error.empty())
      return 0;
    int count = 0;
    const auto &functions = whole.program->trace.functions;
    // The first and the last one stand for the others of a large file.
    constexpr size_t small = 30000;
    for (size_t i = 0; i < functions.size(); ++i) {
      if (text.size() > small && i > 0 && i + 1 < functions.size())
        continue;
      const std::string &name = functions[i].name;
      std::string excerpt = excerptOf(text, name);
      if (excerpt.empty())
        continue;
      LoadResult part = loaded(write("part.mlir", excerpt));
      if (!part.program)
        continue; // The whole is waited for.
      uint32_t begin = functions[i].range.begin;
      EXPECT_EQ(decisionsOf(*part.program, begin),
                decisionsOf(*whole.program, begin))
          << path << " @" << name;
      ++count;
    }
    return count;
  }
  int checkFolder(const std::string &folder) {
    std::vector<std::string> paths;
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".mlir" && entry.file_size() < 300000)
        paths.push_back(entry.path().string());
    std::ranges::sort(paths);
    int count = 0;
    const bool isFull =
        env("MEMREF_LENS_FULL") == "1" || env("MEMREF_LENS_LONG") == "1";
    for (size_t i = 0; i < paths.size(); i += isFull ? 1 : 4)
      count += checkFile(paths[i]);
    return count;
  }
};

TEST_F(Excerpts, decideAsTheWholeDoes) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    std::string n = std::to_string(i), next = std::to_string(i / 2);
    text += "func.func private @f" + n +
            "(%a: memref<4xf32>, %c: i1) -> memref<4xf32> {\n  %x = "
            "memref.alloc() : memref<4xf32>\n  %y = func.call @f" +
            next +
            "(%x, %c) : (memref<4xf32>, i1) -> memref<4xf32>\n  %z = "
            "arith.select %c, %y, %a : memref<4xf32>\n  return %z : "
            "memref<4xf32>\n}\n";
  }
  std::string path = write("calls.mlir", text);
  EXPECT_EQ(checkFile(path), 40);
  for (bool isDynamic : {false, true}) {
    Progress progress;
    trace::RunOptions options;
    options.privateFunctionDynamicOwnership = isDynamic;
    std::string part = write("part.mlir", excerptOf(text, "f39"));
    std::string decisions[2];
    for (int i : {0, 1}) {
      LoadResult result =
          load({i ? part : path, options}, workspace.tool, progress);
      ASSERT_TRUE(result.program) << result.error;
      decisions[i] = decisionsOf(*result.program,
                                 uint32_t(text.find("func.func private @f39")));
    }
    EXPECT_GT(decisions[0].size(), 300u);
    EXPECT_EQ(decisions[0], decisions[1]);
  }
}

TEST_F(Excerpts, decideAsTheWholeDoesInTheCorpus) {
  std::string corpus = env("MEMREF_LENS_CORPUS");
  if (!std::filesystem::exists(corpus)) {
    ASSERT_NE(env("CI"), "true") << "no corpus at " << corpus;
    GTEST_SKIP() << "no corpus at " << corpus;
  }
  int count = checkFolder(corpus);
  std::printf("%d functions are decided alone as with all others\n", count);
  EXPECT_GT(count, 15);
}

} // namespace
} // namespace memreflens::viewer
