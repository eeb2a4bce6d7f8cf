//===- tests/trace/SymbolTest.cpp - functions' names in sentences ---------===//

#include "core/trace/Symbol.h"

#include <gtest/gtest.h>

namespace memreflens::trace {
namespace {

TEST(Symbol, NamesThatMlirWritesBareStandBare) {
  EXPECT_EQ(symbolText("main"), "@main");
  EXPECT_EQ(symbolText("_f.1$x"), "@_f.1$x");
  EXPECT_EQ(symbolText("kernels::@f"), "@kernels::@f");
}

TEST(Symbol, AllOthersAreQuotedAndEscapedAsMlirDoes) {
  EXPECT_EQ(symbolText(""), "@\"\"");
  EXPECT_EQ(symbolText("a `b` c"), "@\"a `b` c\"");
  EXPECT_EQ(symbolText("1st"), "@\"1st\"");
  EXPECT_EQ(symbolText("a\"b\\c\n"), "@\"a\\22b\\\\c\\0A\"");
}

TEST(Symbol, LettersThatAreNotAsciiStayReadable) {
  EXPECT_EQ(symbolText("grün"), "@\"grün\"");
}

} // namespace
} // namespace memreflens::trace
