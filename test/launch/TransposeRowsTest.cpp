// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/TransposeRows.h"

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
  TransposedCopy copy{rows, columns, targetPitch, sourcePitch, sizeof(Element)};
  for (int bytes = 16; bytes <= widestRegister(); bytes *= 2) {
    std::vector<Element> target = before;
    copy.run(target.data() + offset, source.data() + offset, bytes);
    EXPECT_EQ(target, wanted)
        << rows << " x " << columns << ", " << room << " between rows, from "
        << offset << ", registers of " << bytes << " bytes";
  }
}

template <typename Element> static void expectAllTransposed() {
  for (int64_t rows : {0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 33, 64, 100})
    for (int64_t columns : {0, 1, 3, 5, 8, 9, 16, 23, 32, 47, 64, 65})
      for (int64_t room : {0, 1, 64})
        for (int64_t offset : {0, 1, 4, 13})
          expectTransposed<Element>(rows, columns, room, offset);
}

TEST(TransposedCopy, TurnsElementsOfEveryWidth) {
  expectAllTransposed<uint8_t>();
  expectAllTransposed<uint16_t>();
  expectAllTransposed<uint32_t>();
  expectAllTransposed<uint64_t>();
}

TEST(TransposedCopy, WritesWholeLinesWhereRowsAre) {
  for (int64_t offset = 0; offset < 16; ++offset)
    expectTransposed<uint32_t>(48, 128, 0, offset);
}
