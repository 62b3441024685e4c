// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Variants of kernels that do the same with every row, and which of them a
/// call takes.

#ifndef TEGULA_LAUNCH_GPU_VARIANTS_GPUROWS_H
#define TEGULA_LAUNCH_GPU_VARIANTS_GPUROWS_H

#include "tegula/launch/gpu/ShortVector.h"
#include "tegula/launch/gpu/variants/GpuParameter.h"
#include "tegula/launch/gpu/variants/GpuTensor.h"

#include <optional>
#include <string>
#include <vector>

namespace tegula {

/// How rows are aligned for the vectors that threads read.
enum class GpuRowAlignment : uint8_t {
  /// Rows are groups that are read at once, and begin at multiples of them.
  Aligned,
  /// Rows begin anywhere, but in all tensors that have rows at the same offset
  /// of a group. Whole groups are read at once; what is before and behind them
  /// some threads have besides.
  Shifted,
  /// Neighbouring threads have neighbouring elements.
  Single
};

template <> struct Enumerators<GpuRowAlignment> {
  static constexpr const char *names[] = {"aligned", "shifted", "single"};
  static constexpr size_t count = std::size(names);
};

/// One variant: a row is shared by a warp or by all threads of a block, and
/// each of them has some groups of elements.
struct GpuRowVariant {
  std::string symbol;
  bool isByWarp = false;
  int64_t groups = 0;
  /// Of a group.
  int64_t elements = 0;
  GpuRowAlignment alignment = GpuRowAlignment::Aligned;
  /// Whether blocks have as many threads as a row needs, and not always as many
  /// as can be.
  bool isFitted = false;
  /// So many groups each thread has in any case: shorter rows the variant does
  /// not take.
  int64_t sureGroups = 0;

  static constexpr int64_t warpThreads = 32;

  int64_t countThreads(int64_t threads) const {
    return isByWarp ? warpThreads : threads;
  }
  /// The columns that threads of one row have at once.
  int64_t countColumns(int64_t threads) const {
    return countThreads(threads) * groups * elements;
  }
  /// In rows that begin anywhere whole groups begin and end at multiples of so
  /// many elements of the first tensor: memory has pieces of two groups.
  int64_t countLead() const { return 2 * elements; }
  /// The threads of a block for rows of so many columns, `threads` at most.
  int64_t countFitted(int64_t columns, int64_t threads) const;
  /// Whether blocks of at most so many threads can hold rows of so many
  /// columns.
  bool holds(int64_t columns, int64_t threads) const;
};

template <> struct Fields<GpuRowVariant> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("symbol", self.symbol);
    visit("by_warp", self.isByWarp);
    visit("groups", self.groups);
    visit("group_size", self.elements);
    visit("layout", self.alignment);
    visit("fitted", self.isFitted);
    visit("full_groups", self.sureGroups);
  }
  static const char *findMistake(const GpuRowVariant &variant) {
    if (variant.groups < 1 || variant.elements < 1)
      return "a thread has groups of elements";
    return variant.sureGroups < 0 || variant.sureGroups > variant.groups
               ? "there are no more full groups than groups"
               : nullptr;
  }
};

/// A tensor of such a kernel.
struct GpuRowTensor {
  GpuTensorNumber tensor;
  /// Whether each row has its own, and each column.
  bool hasRows = false, hasColumns = false;
};

template <> struct Fields<GpuRowTensor> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("tensor", self.tensor);
    visit("rows", self.hasRows);
    visit("columns", self.hasColumns);
  }
  static const char *findMistake(const GpuRowTensor &tensor) {
    return tensor.tensor < 0 ? "a row-wise kernel has no such tensor" : nullptr;
  }
};

/// What the variants of a kernel have in common.
struct GpuRows {
  std::vector<GpuRowTensor> tensors;
  /// Rows are summed up or the like, so that each is held as a whole.
  bool hasReductions = false;
  /// Only elements are computed, and nothing from the extents.
  bool mayBeFlat = false;
  std::vector<GpuRowVariant> variants;
};

template <> struct Fields<GpuRows> {
  template <typename Self, typename Visit>
  static void visit(Self &self, Visit visit) {
    visit("reduces", self.hasReductions);
    visit("flat", self.mayBeFlat);
    visit("tensors", self.tensors);
    visit("schedules", self.variants);
  }
};

/// A tensor of a call as far as rows go.
struct GpuRowView {
  uint64_t address;
  int64_t elementBytes;
  /// In elements.
  int64_t row, column;
  /// Whether each row has its own.
  bool hasRows;
};

/// A call of such a kernel.
struct GpuRowCall {
  int64_t rows = 1, columns = 1;
  /// Those that have columns.
  ShortVector<GpuRowView, 8> views;

  GpuRowCall() = default;
  /// Of tensors among the slots of a call.
  GpuRowCall(const GpuRows &rows, const std::vector<GpuTensor> &tensors,
             const int64_t *slots);

  /// Whether all rows follow each other, so that they can be seen as one.
  bool isFlat() const;
  /// Whether so many elements, from multiples of that on, can be read at once
  /// everywhere.
  bool isAligned(int64_t elements) const;
  /// Whether rows have whole groups of the variant somewhere, and begin at the
  /// same offset in a group in all tensors that have rows; so do all if none
  /// has.
  bool isShifted(const GpuRowVariant &variant) const;
  /// Whether elements lie as the variant takes them.
  bool suits(const GpuRowVariant &variant) const;
  /// Whether the columns of every tensor are contiguous.
  bool hasRows() const;
  /// The variant for the call on a chip with so many SMs, and blocks of so
  /// many threads; nothing if none can take it.
  std::optional<size_t> choose(const GpuRows &rows, int64_t numSMs,
                               int64_t threads) const;
  /// How many blocks have something to do.
  int64_t countBlocks(const GpuRows &rows, const GpuRowVariant &variant,
                      int64_t threads) const;
};

/// A call that one of the variants takes.
struct GpuRowLaunch {
  size_t variant;
  int64_t blocks;
  /// Of a block.
  int64_t threads;
  /// What the variant gets, if it is not what the call has: rows seen as one.
  ShortVector<int64_t, 40> slots;
};

/// How variants of a kernel run a call with such slots, or nothing. Of
/// addresses only what they are multiples of counts, up to 256.
std::optional<GpuRowLaunch> planRows(const GpuRows &rows,
                                     const std::vector<GpuTensor> &tensors,
                                     const int64_t *slots, int64_t numSlots,
                                     int64_t numSMs, int64_t threads);

} // namespace tegula

#endif // TEGULA_LAUNCH_GPU_VARIANTS_GPUROWS_H
