// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fuzzers found once, and does not do it again.
#include "tegula/support/File.h"
#include "test/fuzz/Inputs.h"

#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

using namespace tegula;

/// Reads every file of the folder.
static void readAll(const std::string &folder,
                    void (*read)(llvm::StringRef text)) {
  std::error_code code;
  unsigned numFiles = 0;
  for (llvm::sys::fs::directory_iterator at(folder, code), end;
       at != end && !code; at.increment(code)) {
    SCOPED_TRACE(at->path());
    Expected<std::string> text = readFile(at->path(), 1 << 20);
    ASSERT_TRUE(static_cast<bool>(text)) << llvm::toString(text.takeError());
    read(*text);
    ++numFiles;
  }
  EXPECT_GT(numFiles, 0u);
}

TEST(Corpus, SourceBecomesAModuleOrErrors) {
  readAll(TEGULA_SOURCE_DIR "/test/fuzz/corpus/source", fuzz::source.read);
}

TEST(Corpus, IrBecomesAModuleOrErrors) {
  readAll(TEGULA_SOURCE_DIR "/test/fuzz/corpus/ir", fuzz::ir.read);
}
