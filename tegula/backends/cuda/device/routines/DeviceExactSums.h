// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Scatter-add of FP32, by all blocks and in whatever order, with the same bits
/// every time: what is added up are integers, whose sums do not depend on an
/// order. An index has several of 64 bits, one for every so many exponents, and
/// an element is added to that of its own exponent. So no bit of any element is
/// lost, and a sum is rounded once.
///
/// With steps of 20 exponents, 1.5 and 2^-30 are added to different integers;
/// in the end what does not fit below 2^20 is carried to the next one.

#ifndef TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEEXACTSUMS_H
#define TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEEXACTSUMS_H

#include "tegula/backends/cuda/device/routines/DeviceIndexedRows.h"

namespace tegula::gpu {

/// All rows have the same indices.
class ExactSums {
public:
  /// Rows have so many elements, and there are so many of them.
  ExactSums(const IndexedRows &indexedRows, const Part &part,
            TegulaGpuArena *arena, int64_t length, int64_t width)
      : indexedRows(indexedRows), part(part), arena(arena), length(length),
        width(width) {
    bins = indexedRows.all.get(2, 0, 1).length * width;
    int32_t countBits = 0;
    for (int64_t left = length; left > 0; left >>= 1)
      ++countBits;
    // A bit is for the sign, and one for what is carried.
    step = 62 - numberBits - countBits;
    numbers = (lastExponent + step - 1) / step;
    inverse = (1 << 16) / step + 1;
    // Where all would contend for few indices, blocks have different ones.
    int64_t all = length * width;
    while (copies < mostCopies && 2 * copies * bins <= TegulaGpuFewBins &&
           2 * copies * bins * (numbers + 1) <= all)
      copies *= 2;
    slots = bins * copies;
  }

  /// False if there is not enough memory, there are too many indices for so few
  /// elements, or so few that elements would wait for each other: then nothing
  /// was done.
  [[gnu::always_inline]] bool run() {
    constexpr int64_t mostForEach = 16, mostAtOne = 8192;
    int64_t words = slots * (numbers + 1), all = length * width;
    if (words > mostForEach * all || all > mostAtOne * slots)
      return false;
    void *memory = tegulaGpuScratchPush(arena, words * 8);
    if (!memory)
      return false;
    sums = static_cast<uint64_t *>(memory);
    part.shareOut(words, [&](int64_t at) { sums[at] = 0; });
    part.wait();
    addAll();
    part.wait();
    if (copies > 1) {
      part.shareOut(bins * (numbers + 1), [&](int64_t at) { join(at); });
      part.wait();
    }
    part.shareOut(bins, [&](int64_t bin) { end(bin); });
    tegulaGpuScratchPop(arena, memory);
    return true;
  }

private:
  // FP32.
  static constexpr uint32_t sign = 1u << 31, fraction = (1u << 23) - 1;
  static constexpr int32_t fractionBits = 23, numberBits = 24;
  static constexpr int32_t lastExponent = 254;
  /// Those of the smallest numbers: a unit is 2 to this.
  static constexpr int32_t unitExponent = -149;
  static constexpr int64_t mostCopies = 64;

  /// What is known of an index besides its accumulators, in words of 32 bits:
  /// in the first that something was added, or an infinity, in the second that
  /// a negative one was. NaN is both infinities.
  static constexpr uint32_t isAdded = 1, isInfinite = 2;

  IndexedRows indexedRows;
  Part part;
  TegulaGpuArena *arena;
  int64_t length, width, bins, slots, copies = 1;
  /// Exponents of one integer, how many integers there are, and what to
  /// multiply by, in place of a division by the first.
  int32_t step, numbers;
  uint32_t inverse;
  /// Of all indices those for the lowest exponents, then the next, and so on,
  /// and what is known of indices last.
  uint64_t *sums = nullptr;

  uint32_t *notesOf(int64_t slot) const {
    return reinterpret_cast<uint32_t *>(sums + numbers * slots + slot);
  }

  float *target(int64_t bin) const {
    return &indexedRows.all.get(2, bin % width, sizeof(float))
                .as<float>(bin / width);
  }

  /// Adds an element, as bits, to those of a slot; `before` is what the index
  /// has.
  void add(int64_t slot, uint32_t bits, uint32_t before) const {
    // -0.0 changes nothing wherever it is added; anything else changes -0.0.
    if (bits == sign)
      return;
    if (before == sign)
      tegulaGpuMax(notesOf(slot), isAdded);
    uint32_t exponent = bits >> fractionBits & 255, number = bits & fraction;
    if (exponent > lastExponent) {
      bool isNan = number != 0;
      if (isNan || !(bits & sign))
        tegulaGpuMax(notesOf(slot), isInfinite);
      if (isNan || bits & sign)
        tegulaGpuMax(notesOf(slot) + 1, isInfinite);
      return;
    }
    if (exponent == 0)
      exponent = 1;
    else
      number |= fraction + 1;
    if (number == 0)
      return;
    uint32_t which = (exponent - 1) * inverse >> 16;
    uint64_t shifted = uint64_t(number) << (exponent - 1 - which * step);
    tegulaGpuAddGlobal(sums + which * slots + slot,
                       bits & sign ? -shifted : shifted);
  }

  /// Adds the integers of all copies to the first of them; of what is known of
  /// indices, what any says.
  [[gnu::always_inline]] void join(int64_t at) const {
    int64_t which = at / bins;
    uint64_t *first = sums + which * slots + at % bins;
    bool isNote = which == numbers;
    uint64_t all = *first;
#pragma unroll 8
    for (int64_t copy = 1; copy < copies; ++copy) {
      uint64_t other = first[copy * bins];
      all = isNote ? all | other : all + other;
    }
    *first = all;
  }

  /// Adds all elements. As many are read before the first is needed.
  [[gnu::always_inline]] void addAll() const {
    constexpr int32_t atOnce = 8;
    IndexedRows::Indices indices = indexedRows.indicesOf(0);
    RowsOf<true> from(indexedRows.all, 0, sizeof(float)),
        to(indexedRows.all, 2, sizeof(float));
    int64_t first = part.number % copies * bins;
    int64_t threads = part.numThreads(), all = length * width;
    int64_t self =
        int64_t(part.number) * tegulaGpuNumThreads() + tegulaGpuThread();
    // Where the next one is, without a division for each.
    int64_t at = self / width, row = self % width;
    int64_t further = threads / width, aside = threads % width;
    for (int64_t number = self; number < all;) {
      int64_t bin[atOnce];
      uint32_t bits[atOnce], before[atOnce];
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i) {
        int64_t index = number < all ? indices.at(at) : -1;
        bin[i] = index < 0 ? -1 : index * width + row;
        if (index >= 0) {
          bits[i] = from.get(row).as<uint32_t>(at);
          before[i] = to.get(row).as<uint32_t>(index);
        }
        number += threads;
        at += further;
        row += aside;
        if (row >= width) {
          row -= width;
          ++at;
        }
      }
#pragma unroll
      for (int32_t i = 0; i < atOnce; ++i)
        if (bin[i] >= 0)
          add(first + bin[i], bits[i], before[i]);
    }
  }

  /// Adds the sum of an index to what was there before.
  void end(int64_t bin) const {
    const uint32_t *notes = notesOf(bin);
    float *to = target(bin);
    float infinity = __builtin_inff();
    if (notes[0] & isInfinite)
      *to += infinity;
    if (notes[1] & isInfinite)
      *to -= infinity;
    if ((notes[0] | notes[1]) & isInfinite)
      return;
    double sum = sumOf(bin);
    if (sum != 0 || notes[0] & isAdded)
      *to = static_cast<float>(*to + sum);
  }

  /// The sum that an index has of all elements.
  double sumOf(int64_t bin) const {
    double size = 0;
    bool isNegative = forEachDigit(bin, 1, [](int64_t, double) {}) < 0;
    // What is added has one sign, so next to nothing is lost.
    forEachDigit(bin, isNegative ? -1 : 1, [&](int64_t digit, double unit) {
      size += static_cast<double>(digit) * unit;
    });
    return isNegative ? -size : size;
  }

  /// Calls `visit` with the integers of an index, from the lowest one on, when
  /// all but the last are below the unit of the next. Returns the last, whose
  /// sign is that of the sum.
  template <typename Visit>
  int64_t forEachDigit(int64_t bin, int64_t factor, Visit visit) const {
    int64_t digit = 0, carried = 0;
    double unit = unitOf(unitExponent);
    for (int32_t which = 0; which < numbers; ++which) {
      digit =
          carried + factor * static_cast<int64_t>(sums[which * slots + bin]);
      if (which + 1 < numbers) {
        carried = digit >> step;
        digit -= carried << step;
      }
      visit(digit, unit);
      unit *= static_cast<double>(int64_t(1) << step);
    }
    return digit;
  }

  /// 2 to a power.
  static double unitOf(int32_t exponent) {
    constexpr int32_t bias = 1023, wideBits = 52;
    return __builtin_bit_cast(double, uint64_t(bias + exponent) << wideBits);
  }
};

} // namespace tegula::gpu

#endif // TEGULA_BACKENDS_CUDA_DEVICE_ROUTINES_DEVICEEXACTSUMS_H
