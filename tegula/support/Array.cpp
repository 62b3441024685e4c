// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/support/Array.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tegula;

std::optional<uint64_t> tegula::getDenseBytes(llvm::ArrayRef<int64_t> sizes,
                                              DType dtype) {
  constexpr uint64_t limit = uint64_t(1) << 62;
  if (llvm::any_of(sizes, [](int64_t size) { return size < 0; }))
    return std::nullopt;
  if (llvm::is_contained(sizes, 0))
    return 0;
  uint64_t bytes = getSize(dtype);
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    bool isPairs = isHalfByte(dtype) && axis + 1 == sizes.size();
    uint64_t count = isPairs ? (uint64_t(size) + 1) / 2 : size;
    if (count > limit / bytes)
      return std::nullopt;
    bytes *= count;
  }
  return bytes;
}

static void visitAxis(const TensorView &view, unsigned axis, char *element,
                      llvm::function_ref<void(char *)> visit) {
  if (axis == view.rank)
    return visit(element);
  int64_t step = view.strides[axis] * getSize(view.dtype);
  for (int64_t index = 0; index < view.sizes[axis]; ++index)
    visitAxis(view, axis + 1, element + index * step, visit);
}

void tegula::forEachElement(const TensorView &view,
                            llvm::function_ref<void(char *)> visit) {
  // Axes around one of extent 0 may be as long as 2^63.
  if (llvm::is_contained(view.getSizes(), 0))
    return;
  visitAxis(view, 0, view.getFirstElement(), visit);
}

void Array::Release::operator()(char *bytes) const { std::free(bytes); }

Expected<Array> Array::create(llvm::ArrayRef<int64_t> sizes, DType dtype,
                              Order order) {
  if (sizes.size() > TensorView::maxRank)
    return makeError("an array has {0} axes, the limit is {1}", sizes.size(),
                     TensorView::maxRank);
  std::optional<uint64_t> numBytes = getDenseBytes(sizes, dtype);
  if (!numBytes)
    return makeError("an array of shape {0} is too large", formatShape(sizes));

  Array array;
  array.numBytes = *numBytes;
  // calloc gives pages that cost nothing until they are touched.
  array.bytes.reset(static_cast<char *>(
      std::calloc(std::max<uint64_t>(1, array.numBytes), 1)));
  if (!array.bytes)
    return makeError("no memory for an array of shape {0}: {1} bytes",
                     formatShape(sizes), *numBytes);
  llvm::SmallVector<int64_t, 8> strides(sizes.size());
  if (order == Order::ColumnMajor && !isHalfByte(dtype)) {
    int64_t step = 1;
    for (auto [stride, size] : llvm::zip(strides, sizes)) {
      stride = step;
      // Without elements the product of the others may be anything.
      if (__builtin_mul_overflow(step, std::max<int64_t>(1, size), &step))
        step = INT64_MAX;
    }
    array.view = TensorView(array.bytes.get(), dtype, sizes, strides);
  } else {
    array.view = TensorView(array.bytes.get(), dtype, sizes);
  }
  return array;
}

Expected<Array> Array::clone() const {
  Expected<Array> copy = create(getSizes(), getDType());
  if (!copy)
    return copy.takeError();
  std::memcpy(copy->getBytes(), getBytes(), numBytes);
  std::memcpy(copy->view.strides, view.strides, sizeof(view.strides));
  return copy;
}
