// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/interpreter/ByteRanges.h"

#include "tegula/ir/ForEachRow.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using namespace tegula::pl;
using llvm::ArrayRef;

/// The bytes of `count` elements next to each other.
static ByteRange rangeOf(char *element, int64_t count, DType dtype) {
  if (!isHalfByte(dtype))
    return {element, element + count * static_cast<int64_t>(getSize(dtype))};
  auto *first = reinterpret_cast<char *>(byteOfHalf(element));
  auto *last = reinterpret_cast<char *>(byteOfHalf(element + count - 1));
  return {first, last + 1};
}

void tegula::pl::forEachByteRange(const TensorView &view,
                                  ArrayRef<int64_t> extents,
                                  llvm::function_ref<void(ByteRange)> visit) {
  auto size = static_cast<int64_t>(getSize(view.dtype));
  Strided<char> addresses{view.getFirstElement(), {}};
  for (int64_t stride : view.getStrides())
    addresses.strides.push_back(stride * size);
  forEachRow(extents, [&](ArrayRef<int64_t> index, int64_t length) {
    auto [element, stride] = addresses.row(index);
    if (stride == size)
      return visit(rangeOf(element, length, view.dtype));
    for (int64_t column = 0; column < length; ++column)
      visit(rangeOf(element + column * stride, 1, view.dtype));
  });
}

std::vector<ByteRange> tegula::pl::getByteRanges(const TensorView &view) {
  std::vector<ByteRange> ranges;
  forEachByteRange(view, view.getSizes(),
                   [&](ByteRange range) { ranges.push_back(range); });
  llvm::sort(ranges, [](const ByteRange &lhs, const ByteRange &rhs) {
    return lhs.begin < rhs.begin;
  });
  std::vector<ByteRange> joined;
  for (const ByteRange &range : ranges)
    if (!joined.empty() && range.begin <= joined.back().end)
      joined.back().end = std::max(joined.back().end, range.end);
    else
      joined.push_back(range);
  return joined;
}

bool tegula::pl::overlap(ArrayRef<ByteRange> lhs, ArrayRef<ByteRange> rhs) {
  const ByteRange *left = lhs.begin(), *right = rhs.begin();
  while (left != lhs.end() && right != rhs.end()) {
    if (left->begin < right->end && right->begin < left->end)
      return true;
    (left->end <= right->end ? left : right)++;
  }
  return false;
}
