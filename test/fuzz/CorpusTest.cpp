// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fuzzers found once, and does not do it again; and a few hundred inputs
// of the kind they make.
#include "tegula/support/File.h"
#include "test/fuzz/Inputs.h"
#include "test/fuzz/TokenMutator.h"

#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>
#include <map>

using namespace tegula;

/// The contents of every file of the folder whose name ends like this.
static std::vector<std::string> contentsOf(const std::string &folder,
                                           llvm::StringRef extension) {
  std::map<std::string, std::string> files;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator at(folder, code), end;
       at != end && !code; at.increment(code)) {
    if (!llvm::StringRef(at->path()).ends_with(extension))
      continue;
    Expected<std::string> text = readFile(at->path(), 1 << 20);
    if (text)
      files[at->path()] = *text;
    else
      ADD_FAILURE() << llvm::toString(text.takeError());
  }
  std::vector<std::string> contents;
  for (auto &[path, text] : files)
    contents.push_back(std::move(text));
  EXPECT_FALSE(contents.empty()) << folder;
  return contents;
}

namespace {

/// One kind of input with all that is kept of it.
class Corpus : public testing::TestWithParam<const fuzz::Input *> {};

} // namespace

TEST_P(Corpus, BecomesWhatItSaysOrErrors) {
  for (const std::string &text :
       contentsOf(TEGULA_SOURCE_DIR "/test/fuzz/corpus/" +
                      std::string(GetParam()->name),
                  ""))
    GetParam()->read(text);
}

INSTANTIATE_TEST_SUITE_P(, Corpus, testing::ValuesIn(fuzz::listInputs()),
                         [](const auto &info) {
                           return std::string(info.param->name);
                         });

TEST(ChangedIr, BecomesAModuleOrErrors) {
  std::vector<std::string> modules;
  for (const char *folder : {"/test/ir", "/test/transforms"})
    for (llvm::StringRef text :
         contentsOf(TEGULA_SOURCE_DIR + std::string(folder), ".mlir")) {
      llvm::SmallVector<llvm::StringRef> parts;
      text.split(parts, "// -----");
      for (llvm::StringRef part : parts)
        modules.push_back(part.str());
    }
  std::vector<std::string> words = fuzz::ir.listTokens();
  for (uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    fuzz::ir.read(
        fuzz::mutateTokens(modules[seed % modules.size()], words, seed));
  }
}
