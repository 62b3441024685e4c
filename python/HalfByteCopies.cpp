// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "python/HalfByteCopies.h"

#include "tegula/launch/call/Overlap.h"
#include "tegula/support/PackedBytes.h"

#include <new>

using namespace tegula;

/// Calls `visit` with the addresses of the same element in both views.
template <typename Visit>
static void forEachPair(const TensorView &array, const TensorView &packed,
                        unsigned axis, char *byte, char *half, Visit visit) {
  if (axis == array.rank)
    return visit(byte, half);
  for (int64_t index = 0; index < array.sizes[axis]; ++index)
    forEachPair(array, packed, axis + 1, byte + index * array.strides[axis],
                half + index * packed.strides[axis], visit);
}

Problem HalfByteCopies::add(size_t index, const TensorView &array,
                            TensorView &packed) {
  packed = TensorView(nullptr, array.dtype, array.getSizes());
  TensorView rows = toBytes(packed);
  int64_t bytes = rows.getNumElements();
  std::unique_ptr<char[]> memory(new (std::nothrow) char[bytes + 1]());
  if (!memory)
    return makeCallProblem("no memory for a packed copy of {0} bytes", bytes);
  packed.data = memory.get();
  TensorView unpacked = array;
  unpacked.dtype = DType::UInt8;
  forEachPair(unpacked, packed, 0, static_cast<char *>(array.data),
              packed.getFirstElement(), [](char *byte, char *half) {
                writeHalfByte(half, static_cast<uint8_t>(*byte));
              });
  copies.push_back({index, unpacked, packed, std::move(memory)});
  return {};
}

bool HalfByteCopies::findOther(const Copy &copy, size_t &other) const {
  AddressRange range, otherRange;
  for (const Copy &candidate : copies) {
    if (candidate.index == copy.index || !computeRange(copy.array, range) ||
        !computeRange(candidate.array, otherRange) || range.isEmpty() ||
        otherRange.isEmpty() || !mayShareMemory(copy.array, candidate.array))
      continue;
    other = candidate.index;
    return true;
  }
  return false;
}

/// A signed element fills its byte, so that it also reads as an 8-bit one.
void HalfByteCopies::unpack(const Copy &copy) {
  uint8_t sign = copy.packed.dtype == DType::Int4 ? 8 : 0;
  forEachPair(copy.array, copy.packed, 0, static_cast<char *>(copy.array.data),
              copy.packed.getFirstElement(), [&](char *byte, char *half) {
                *byte = static_cast<char>((readHalfByte(half) ^ sign) - sign);
              });
}
