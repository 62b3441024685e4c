// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/TokenMutator.h"

#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tegula;

TEST(TokenMutator, SplitsIntoWordsSpacesAndSigns) {
  EXPECT_THAT(fuzz::splitTokens("y[i2] =  x+1.5\n"),
              testing::ElementsAre("y", "[", "i2", "]", " ", "=", "  ", "x",
                                   "+", "1", ".", "5", "\n"));
}

TEST(TokenMutator, ChangesWordsAndKeepsTheRest) {
  const std::vector<std::string> words = {"while"};
  bool hasWord = false, hasSame = false;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    std::string text = fuzz::mutateTokens("a = b\nc = d\n", words, seed);
    hasWord |= llvm::StringRef(text).contains("while");
    hasSame |= llvm::StringRef(text).contains("c = d\n");
  }
  EXPECT_TRUE(hasWord);
  EXPECT_TRUE(hasSame);
}

TEST(TokenMutator, TakesAnEmptyText) {
  EXPECT_EQ(fuzz::mutateTokens("", {}, 1), "");
}
