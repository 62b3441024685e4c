// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What arithmetic on sizes can come to, and whether it stays within 64 bits:
/// what is proved of integers holds for the machine only as long as it does.

#ifndef TEGULA_SUPPORT_INT64RANGE_H
#define TEGULA_SUPPORT_INT64RANGE_H

#include "tegula/support/ExtentProgram.h"
#include <optional>

namespace tegula {

/// All numbers from `low` to `high`, both included.
struct Int64Range {
  int64_t low = INT64_MIN, high = INT64_MAX;
};

/// What a step makes of any two numbers of the ranges; nothing if it may leave
/// 64 bits.
std::optional<Int64Range> applyToRanges(ExtentProgram::Op op, Int64Range lhs,
                                        Int64Range rhs);

/// The sizes that a call is asked about have at most this many bits.
constexpr unsigned maxSizeBits = 63;
/// All sizes, and all numbers, of at most so many bits.
Int64Range sizesOfBits(unsigned bits);
Int64Range numbersOfBits(unsigned bits);

/// The results of a program; nothing if a step may leave 64 bits. Allocates
/// nothing.
std::optional<Int64Range> rangeOf(const ExtentProgram &program,
                                  const int64_t *sizes, const int64_t *scalars);
/// The same for any sizes and numbers of at most `bits` bits.
std::optional<Int64Range> rangeOfBits(const ExtentProgram &program,
                                      unsigned bits);

} // namespace tegula

#endif // TEGULA_SUPPORT_INT64RANGE_H
