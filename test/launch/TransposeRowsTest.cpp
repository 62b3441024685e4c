// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/routines/TransposeRows.h"

#include <gtest/gtest.h>

#include <vector>

using namespace tegula;

/// Copies at some offset from a line of the cache and with more or less room
/// between rows; what lies outside must stay as it is.
template <typename Element>
static void expectTransposed(int64_t rows, int64_t columns, int64_t room,
                             int64_t offset) {
  int64_t targetPitch = columns + room, sourcePitch = rows + room;
  std::vector<Element> source(columns * sourcePitch + offset);
  for (size_t i = 0; i < source.size(); ++i)
    source[i] = static_cast<Element>(i * 7 + 1);
  const std::vector<Element> before(rows * targetPitch + offset, Element(3));
  std::vector<Element> wanted = before;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      wanted[offset + i * targetPitch + j] =
          source[offset + i + j * sourcePitch];
  for (bool goesPastCaches : {false, true}) {
    TransposedCopy copy{rows,        columns,         targetPitch,
                        sourcePitch, sizeof(Element), goesPastCaches};
    for (int bytes = 16; bytes <= widestRegister(); bytes *= 2) {
      std::vector<Element> target = before;
      copy.run(target.data() + offset, source.data() + offset, bytes);
      EXPECT_EQ(target, wanted)
          << rows << " x " << columns << ", " << room << " between rows, from "
          << offset << ", registers of " << bytes << " bytes"
          << (goesPastCaches ? ", past the caches" : "");
    }
  }
}

template <typename Element> static void expectAllTransposed() {
  for (int64_t rows : {0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 33, 64, 100})
    for (int64_t columns : {0, 1, 3, 5, 8, 9, 16, 23, 32, 47, 64, 65})
      for (int64_t room : {0, 1, 64})
        for (int64_t offset : {0, 1, 4, 13})
          expectTransposed<Element>(rows, columns, room, offset);
}

TEST(TransposedCopy, TransposesElementsOfEveryWidth) {
  expectAllTransposed<uint8_t>();
  expectAllTransposed<uint16_t>();
  expectAllTransposed<uint32_t>();
  expectAllTransposed<uint64_t>();
}

TEST(TransposedCopy, WritesWholeLinesWhereRowsAre) {
  for (int64_t offset = 0; offset < 16; ++offset)
    expectTransposed<uint32_t>(48, 128, 0, offset);
}

/// Pitches of whole lines, so that lines are stored past the caches: several
/// bands of them and a part of one, and blocks that are cut at either end.
template <typename Element> static void expectStreamed() {
  const int64_t line = 64 / sizeof(Element);
  for (int64_t rows : {16, 17, 33, 64})
    for (int64_t columns : {4 * line - 1, 5 * line + 3, 9 * line})
      for (int64_t offset : {0, 1, 5, 15})
        for (int64_t room : {0, 7})
          expectTransposed<Element>(
              rows, columns, line - columns % line + room % line, offset);
}

TEST(TransposedCopy, StoresWholeLinesPastTheCaches) {
  expectStreamed<uint8_t>();
  expectStreamed<uint16_t>();
  expectStreamed<uint32_t>();
  expectStreamed<uint64_t>();
}

TEST(TransposedCopy, StartsAtElementsThatCrossLines) {
  std::vector<char> source(64 * 64 * 4 + 1), target(64 * 64 * 4 + 2, 7);
  for (size_t i = 0; i < source.size(); ++i)
    source[i] = static_cast<char>(i % 251);
  TransposedCopy{64, 64, 64, 64, 4, /*goesPastCaches=*/true}.run(
      target.data() + 1, source.data() + 1);
  for (int64_t i = 0; i < 64; ++i)
    for (int64_t j = 0; j < 64; ++j)
      for (int64_t byte = 0; byte < 4; ++byte)
        ASSERT_EQ(target[1 + (i * 64 + j) * 4 + byte],
                  source[1 + (j * 64 + i) * 4 + byte]);
  EXPECT_EQ(target.front(), 7);
  EXPECT_EQ(target.back(), 7);
}
