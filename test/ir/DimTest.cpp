// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/Dim.h"

#include <gtest/gtest.h>

#include <vector>

using namespace tegula::pl;

/// The dims over extents up to 4, and all extents up to 6.
static std::vector<Dim> someDims() {
  std::vector<Dim> dims = {Dim::any()};
  for (int64_t n = 0; n <= 4; ++n) {
    dims.push_back(Dim::exactly(n));
    dims.push_back(Dim::atMost(n));
  }
  return dims;
}

static bool allows(Dim dim, int64_t extent) {
  if (dim.isExact())
    return extent == dim.getBound();
  return dim.isAny() || extent <= dim.getBound();
}

TEST(Dim, SaysWhatItIs) {
  EXPECT_TRUE(Dim::exactly(3).isExactly(3));
  EXPECT_FALSE(Dim::exactly(3).isExactly(4));
  EXPECT_FALSE(Dim::atMost(3).isExactly(3));
  EXPECT_TRUE(Dim::exactly(3).hasBound() && Dim::atMost(3).hasBound());
  EXPECT_FALSE(Dim::any().hasBound());
  EXPECT_TRUE(Dim::atMost(3).isBounded() && !Dim::exactly(3).isBounded());
  EXPECT_EQ(Dim::atMost(3).getBound(), 3);
  EXPECT_NE(Dim::atMost(3), Dim::exactly(3));
  EXPECT_NE(Dim::exactly(0), Dim::any());
  EXPECT_NE(hash_value(Dim::atMost(3)), hash_value(Dim::exactly(3)));
}

TEST(Dim, JoinAllowsBoth) {
  for (Dim a : someDims())
    for (Dim b : someDims()) {
      Dim joined = a.join(b);
      EXPECT_EQ(joined, b.join(a));
      EXPECT_TRUE(a.isWithin(joined) && b.isWithin(joined));
      for (int64_t n = 0; n <= 6; ++n)
        EXPECT_TRUE(allows(joined, n) || (!allows(a, n) && !allows(b, n)));
    }
}

TEST(Dim, JoinIsTheLeast) {
  for (Dim a : someDims())
    for (Dim b : someDims())
      for (Dim c : someDims())
        if (a.isWithin(c) && b.isWithin(c))
          EXPECT_TRUE(a.join(b).isWithin(c));
}

TEST(Dim, MeetDescribesTheLesserExtent) {
  for (Dim a : someDims())
    for (Dim b : someDims()) {
      std::optional<Dim> met = a.meet(b);
      EXPECT_EQ(met, b.meet(a));
      bool differ = a.isExact() && b.isExact() && a != b;
      EXPECT_EQ(met.has_value(), !differ);
      for (int64_t m = 0; m <= 6 && met; ++m)
        for (int64_t n = 0; n <= 6; ++n)
          if (allows(a, m) && allows(b, n))
            EXPECT_TRUE(allows(*met, std::min(m, n)));
    }
}

TEST(Dim, MeetOfExactAndBoundedIsBounded) {
  EXPECT_EQ(Dim::exactly(8).meet(Dim::atMost(8)), Dim::atMost(8));
  EXPECT_EQ(Dim::exactly(8).meet(Dim::atMost(4)), Dim::atMost(4));
  EXPECT_EQ(Dim::exactly(8).meet(Dim::any()), Dim::atMost(8));
  EXPECT_EQ(Dim::any().meet(Dim::any()), Dim::any());
}

TEST(Dim, WithinMeansAllowsNoMore) {
  for (Dim a : someDims())
    for (Dim b : someDims()) {
      bool within = true;
      for (int64_t n = 0; n <= 6; ++n)
        within &= !allows(a, n) || allows(b, n);
      // At most 0 is exactly 0, but a type keeps the form it was written in.
      bool isZero = a == Dim::atMost(0) && b == Dim::exactly(0);
      EXPECT_EQ(a.isWithin(b), within && !isZero);
    }
}
