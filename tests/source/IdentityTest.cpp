#include "core/source/Identity.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace memreflens;

namespace {
struct Identity : testing::Test {
  MLIRContext context{MLIRContext::Threading::DISABLED};
  Location place = FileLineColLoc::get(&context, "a.mlir", 3, 4);

  Location named(StringRef name) {
    return NameLoc::get(StringAttr::get(&context, name), place);
  }
};
} // namespace

TEST_F(Identity, TagsNameTheirIds) {
  EXPECT_EQ(taggedOp(tagOp(place, 12)), 12);
  EXPECT_EQ(taggedArgument(tagArgument(place, 0)), 0);
  EXPECT_EQ(taggedOp(tagArgument(place, 7)), trace::none);
  EXPECT_EQ(taggedArgument(tagOp(place, 7)), trace::none);
  EXPECT_EQ(taggedOp(place), trace::none);
}

TEST_F(Identity, StrippingGivesTheOriginal) {
  EXPECT_EQ(stripTag(tagOp(place, 12)), place);
  EXPECT_EQ(stripTag(tagArgument(place, 12)), place);
  EXPECT_EQ(stripTag(place), place);
  EXPECT_EQ(stripTag(named("a")), named("a"));
}

TEST_F(Identity, OnlyTheOutermostLocationCounts) {
  Location inner = tagOp(place, 12);
  EXPECT_EQ(taggedOp(FusedLoc::get(&context, {inner, place})), trace::none);
  EXPECT_EQ(taggedOp(NameLoc::get(StringAttr::get(&context, "a"), inner)),
            trace::none);
}

TEST_F(Identity, WhatOnlyLooksLikeATagIsNone) {
  for (StringRef name : {"lens$op", "lens$opx", "lens$op1x", "lens$op-1",
                         "lens$op99999999999", "lens$o", "lens$arg12", ""})
    EXPECT_EQ(taggedOp(named(name)), trace::none) << name.str();
}
