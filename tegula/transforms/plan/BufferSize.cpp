// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/BufferSize.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tegula;

Type tegula::memoryType(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return element;
  return IntegerType::get(element.getContext(),
                          std::max(8u, integer.getWidth()));
}

bool tegula::isHalfByteInTensors(Type element) { return element.isInteger(4); }

Type tegula::combinedType(Type element) {
  if (pl::isNarrowFloat(element))
    return Float32Type::get(element.getContext());
  return memoryType(element);
}

SmallVector<int64_t, 4> tegula::boundsOf(pl::TileType type) {
  return llvm::map_to_vector<4>(type.getDims(),
                                [](pl::Dim dim) { return dim.getBound(); });
}

int64_t tegula::bufferBytes(Type element, ArrayRef<int64_t> shape) {
  uint64_t bytes = memoryType(element).getIntOrFloatBitWidth() / 8;
  for (int64_t extent : shape)
    bytes = llvm::SaturatingMultiply<uint64_t>(
        bytes, std::min(mostBufferBytes, std::max<int64_t>(1, extent)));
  return std::min<uint64_t>(bytes, mostBufferBytes);
}

int64_t tegula::addBytes(int64_t some, int64_t more) {
  return std::min(mostBufferBytes, some + more);
}
