// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/cache/Digest.h"

#include <gtest/gtest.h>

using namespace tegula;

static std::string hashOf(const std::string &bytes) {
  Digest digest;
  digest.addBytes(bytes.data(), bytes.size());
  return digest.finishText();
}

TEST(Digest, GivesThePublishedHashes) {
  EXPECT_EQ(hashOf(""), "e3b0c44298fc1c149afbf4c8996fb924"
                        "27ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hashOf("abc"), "ba7816bf8f01cfea414140de5dae2223"
                           "b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hashOf(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67"
            "f1809a48a497200e046d39ccc7112cd0");
}

TEST(Digest, DoesNotCareHowBytesAreCutIntoChunks) {
  std::string bytes;
  for (int i = 0; i < 200; ++i)
    bytes += static_cast<char>(i);
  Digest digest;
  for (size_t at = 0; at < bytes.size(); at += 7)
    digest.addBytes(bytes.data() + at, std::min<size_t>(7, bytes.size() - at));
  EXPECT_EQ(digest.finishText(), hashOf(bytes));
}

TEST(Digest, KeepsTextsApart) {
  Digest first, second;
  first.add("ab");
  first.add("c");
  second.add("a");
  second.add("bc");
  EXPECT_NE(first.finishText(), second.finishText());
}
