// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What arithmetic on sizes can come to, and whether it stays within 64 bits:
/// what is proved of integers holds for the machine only as long as it does.

#ifndef TEGULA_SUPPORT_NUMBERRANGE_H
#define TEGULA_SUPPORT_NUMBERRANGE_H

#include "tegula/support/ExtentProgram.h"
#include <optional>

namespace tegula {

/// All numbers from `low` to `high`, both included.
struct NumberRange {
  int64_t low = INT64_MIN, high = INT64_MAX;
};

/// What a step makes of any two numbers of the ranges; nothing if it may leave
/// 64 bits.
std::optional<NumberRange> applyToRanges(ExtentProgram::Op op, NumberRange lhs,
                                         NumberRange rhs);

/// The sizes that a call is asked about have at most this many bits.
constexpr unsigned maxSizeBits = 63;
/// All sizes, and all numbers, of at most so many bits.
NumberRange sizesOfBits(unsigned bits);
NumberRange numbersOfBits(unsigned bits);

/// The results of a program; nothing if a step may leave 64 bits. Allocates
/// nothing.
std::optional<NumberRange> rangeOf(const ExtentProgram &program,
                                   const int64_t *sizes,
                                   const int64_t *scalars);
/// The same for any sizes and numbers of at most `bits` bits.
std::optional<NumberRange> rangeOfBits(const ExtentProgram &program,
                                       unsigned bits);

} // namespace tegula

#endif // TEGULA_SUPPORT_NUMBERRANGE_H
