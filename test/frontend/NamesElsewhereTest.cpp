// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/NamesElsewhere.h"
#include "tegula/frontend/builtins/Builtins.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace tegula;
using llvm::StringRef;

/// What `pl` has besides functions of the table.
static bool isConstruct(StringRef name) {
  static const llvm::StringSet<> constructs = {
      "range", "parallel",   "unroll", "pipeline", "spmd",  "get_block_num",
      "print", "AtomicType", "FP32",   "assume",   "system"};
  return constructs.contains(name);
}

TEST(NamesElsewhere, SayWhatExists) {
  for (const NamesElsewhere &entry : listNamesElsewhere()) {
    auto [before, rest] = entry.here.split("pl.");
    while (!rest.empty()) {
      StringRef name =
          rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
      EXPECT_TRUE(isFunction(name) || isConstruct(name)) << entry.here.str();
      rest = rest.split("pl.").second;
    }
  }
}

TEST(NamesElsewhere, AreNotNamesHere) {
  for (const NamesElsewhere &entry : listNamesElsewhere())
    for (StringRef name : llvm::split(entry.names, ' ')) {
      EXPECT_FALSE(isFunction(name)) << name.str();
      EXPECT_EQ(writtenHere(name), entry.here) << name.str();
    }
}

TEST(NamesElsewhere, AreNotTakenForMisspelledNames) {
  for (StringRef name :
       {"cholesky", "fft", "unique", "erfc", "cross_entropy"}) {
    EXPECT_TRUE(isOnlyElsewhere(name)) << name.str();
    EXPECT_FALSE(isFunction(name)) << name.str();
    EXPECT_EQ(writtenHere(name), "") << name.str();
    EXPECT_EQ(suggestFunction(name),
              "; other systems have it, and there is nothing like it here");
  }
  EXPECT_FALSE(isOnlyElsewhere("softmaxx"));
  EXPECT_EQ(suggestFunction("softmaxx"), "; did you mean 'pl.softmax'?");
}
