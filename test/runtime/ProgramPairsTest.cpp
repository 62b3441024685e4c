// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel under @pl.jit is the program that one would write by hand as a class
// under @pl.program. The files in pairs/ hold both.

#include "tegula/runtime/Compiler.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <map>

using namespace tegula;

/// "fused_linear" and "FusedLinear" alike.
static std::string keyOf(llvm::StringRef name) {
  std::string key = name.lower();
  llvm::erase(key, '_');
  return key;
}

struct Pair {
  std::string path, kernel, program;
};

static std::vector<Pair> listPairs() {
  std::vector<Pair> pairs;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator
           it(TEGULA_SOURCE_DIR "/test/runtime/pairs", code),
       end;
       it != end && !code; it.increment(code)) {
    if (llvm::sys::path::extension(it->path()) != ".py")
      continue;
    Expected<std::vector<std::string>> names = listKernels(it->path());
    if (!names) {
      ADD_FAILURE() << llvm::toString(names.takeError());
      continue;
    }
    std::map<std::string, std::vector<std::string>> found;
    for (const std::string &name : *names)
      found[keyOf(name)].push_back(name);
    for (const auto &[key, both] : found) {
      EXPECT_EQ(both.size(), 2u) << it->path() << ": " << key;
      if (both.size() == 2)
        pairs.push_back({it->path(), both[0], both[1]});
    }
  }
  return pairs;
}

TEST(ProgramPairs, AreTheSamePrograms) {
  std::vector<Pair> pairs = listPairs();
  EXPECT_GE(pairs.size(), 23u);
  for (const Pair &pair : pairs) {
    SCOPED_TRACE(pair.path + ": " + pair.kernel);
    Expected<std::optional<KernelDifference>> difference =
        findDifference({pair.path, pair.kernel}, {pair.path, pair.program});
    if (!difference)
      ADD_FAILURE() << llvm::toString(difference.takeError());
    else if (*difference)
      ADD_FAILURE() << (*difference)->text;
  }
}

TEST(ProgramPairs, DifferFromOtherPrograms) {
  std::vector<Pair> pairs = listPairs();
  for (size_t i = 1; i < pairs.size(); ++i) {
    Expected<std::optional<KernelDifference>> difference =
        findDifference({pairs[i - 1].path, pairs[i - 1].kernel},
                       {pairs[i].path, pairs[i].program});
    ASSERT_TRUE(static_cast<bool>(difference));
    EXPECT_TRUE(difference->has_value())
        << pairs[i - 1].kernel << " and " << pairs[i].program;
  }
}

TEST(ProgramPairs, CanBePrintedAndReadBack) {
  for (const Pair &pair : listPairs())
    for (const std::string &name : {pair.kernel, pair.program}) {
      SCOPED_TRACE(pair.path + ": " + name);
      Expected<std::string> text =
          printSource({pair.path, name}, Stage::Inferred);
      if (!text) {
        ADD_FAILURE() << llvm::toString(text.takeError());
        continue;
      }
      Expected<std::string> again =
          printSource({"printed.py", "", *text}, Stage::Inferred);
      ASSERT_TRUE(static_cast<bool>(again)) << *text;
      EXPECT_EQ(*again, *text);
    }
}
