// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The rows of several tensors, as KernelAbi.h lays them out, and the order of
/// their elements.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEROWS_H
#define TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEROWS_H

#include "tegula/backends/cuda/device/routines/DeviceArena.h"
#include "tegula/support/DType.h"

namespace tegula::gpu {

/// One row of a tensor.
struct Row {
  char *start;
  int64_t length;
  int64_t step;
  int64_t bytes;

  char *at(int64_t position) const { return start + position * step * bytes; }
  template <typename Element> Element &as(int64_t position) const {
    return *reinterpret_cast<Element *>(at(position));
  }
};

/// The rows of some tensors.
struct Rows {
  const int64_t *numbers;
  int64_t rank;

  int64_t count() const { return countOf(rank, numbers); }
  Row get(int64_t tensor, int64_t row, int64_t bytes) const {
    const int64_t *of = numbers + rank + tensor * (3 + rank);
    return {reinterpret_cast<char *>(of[0]) +
                bytes * offsetOf(row, rank, numbers, of + 2),
            of[1], of[2 + rank], bytes};
  }
};

/// The rows of one of them, with what is needed of it at hand, or looked up
/// each time.
template <bool isAtHand> class RowsOf {
public:
  RowsOf(const Rows &all, int64_t tensor, int64_t bytes)
      : all(all), tensor(tensor), bytes(bytes) {}

  int64_t length() const { return all.get(tensor, 0, bytes).length; }
  Row get(int64_t row) const { return all.get(tensor, row, bytes); }

private:
  Rows all;
  int64_t tensor, bytes;
};
template <> class RowsOf<true> {
public:
  RowsOf(const Rows &all, int64_t tensor, int64_t bytes)
      : all(all), tensor(tensor), first(all.get(tensor, 0, bytes)),
        stride(all.rank == 1 ? all.numbers[1 + tensor * 4 + 2] : 0) {}

  int64_t length() const { return first.length; }
  Row get(int64_t row) const {
    if (all.rank > 1)
      return all.get(tensor, row, first.bytes);
    Row own = first;
    own.start += row * stride * first.bytes;
    return own;
  }

private:
  Rows all;
  int64_t tensor;
  Row first;
  int64_t stride;
};

constexpr bool isHalf(DType dtype) {
  return dtype == DType::Int4 || dtype == DType::UInt4;
}

/// Bits of an element of so many bytes, and of its order.
template <int32_t bytes> struct BitsOf {
  using Word = uint32_t;
  using Order = uint32_t;
};
template <> struct BitsOf<1> {
  using Word = uint8_t;
  using Order = uint32_t;
};
template <> struct BitsOf<2> {
  using Word = uint16_t;
  using Order = uint32_t;
};
template <> struct BitsOf<8> {
  using Word = uint64_t;
  using Order = uint64_t;
};

/// How elements of so many bytes, 0 for half a byte, are made numbers of as
/// many bits whose order is theirs; NaN is the greatest, all bits of it are
/// set.
template <int32_t bytes, bool areFloats> struct Ordering {
  using Word = typename BitsOf<bytes>::Word;
  using Order = typename BitsOf<bytes>::Order;
  /// From one element to the next.
  static constexpr int64_t step = bytes == 0 ? 1 : bytes;
  static constexpr bool isOfFloats = areFloats;

  /// 0 if there are no negative ones.
  Order sign;
  /// Of floats: what is not beyond it is no NaN.
  Order infinity;

  explicit Ordering(DType type) : sign(0), infinity(0) {
    if (areFloats || (type != DType::Bool && !isUnsigned(type)))
      sign = Order(1) << (bytes == 0 ? 3 : 8 * bytes - 1);
    if (areFloats)
      infinity = bytes == 8                 ? Order(0x7ff0000000000000)
                 : bytes == 4               ? 0x7f800000
                 : type == DType::BF16      ? 0x7f80
                 : type == DType::FP16      ? 0x7c00
                 : type == DType::FP8E4M3FN ? 0x7e
                                            : 0x7c;
  }

  Order greatest() const { return sign | (sign - 1); }
  Order of(Order bits) const {
    if (!areFloats)
      return bits ^ sign;
    Order magnitude = bits & (sign - 1);
    if (magnitude > infinity)
      return greatest();
    return bits & sign ? sign - magnitude : sign + magnitude;
  }
  Order at(const char *address) const {
    if (bytes == 0)
      return of(readHalf(address));
    return of(*reinterpret_cast<const Word *>(address));
  }
  static void copy(char *target, const char *source) {
    copyElement(target, source, bytes);
  }
};

/// Calls `visit` with `OrderingOf` of the type. Kernels know it when they are
/// compiled: one call is left then, with code for elements of that size only.
template <int32_t bytes, bool areFloats> struct OrderingOf {
  using type = Ordering<bytes, areFloats>;
};
template <typename Visit>
[[gnu::always_inline]] inline void withOrdering(DType type, Visit visit) {
  bool areFloats = isFloat(type);
  if (isHalf(type))
    return visit(OrderingOf<0, false>());
  switch (getSize(type)) {
  case 1:
    return areFloats ? visit(OrderingOf<1, true>())
                     : visit(OrderingOf<1, false>());
  case 2:
    return areFloats ? visit(OrderingOf<2, true>())
                     : visit(OrderingOf<2, false>());
  case 4:
    return areFloats ? visit(OrderingOf<4, true>())
                     : visit(OrderingOf<4, false>());
  default:
    return areFloats ? visit(OrderingOf<8, true>())
                     : visit(OrderingOf<8, false>());
  }
}

/// The least power of two that is no less.
inline int32_t powerFrom(int64_t number) {
  int32_t power = 1;
  while (power < number)
    power *= 2;
  return power;
}

/// The threads of a block in teams of neighbours, each with a row at a time.
struct Team {
  /// Threads of a team, a power of two, and the number of this one among them.
  int32_t width, lane;
  /// The team's number, and how many teams there are.
  int32_t number, count;

  /// So many rows of that length: a team has no more threads than elements, and
  /// there are teams for all rows if there are enough threads.
  Team(int64_t rows, int64_t length) : width(1) {
    int32_t threads = tegulaGpuNumThreads(), self = tegulaGpuThread();
    while (2 * width * most(rows, 1) <= threads && width < length)
      width *= 2;
    lane = self & (width - 1);
    number = self / width;
    count = threads / width;
  }
};

} // namespace tegula::gpu

#endif // TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEROWS_H
