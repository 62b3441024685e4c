// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the code of mathematical functions may use, besides arithmetic.

#ifndef TEGULA_BACKENDS_MATH_MATHTARGET_H
#define TEGULA_BACKENDS_MATH_MATHTARGET_H

#include <string>

namespace tegula {

/// The abilities of a processor that functions are expanded for.
struct MathTarget {
  /// Multiplies and adds with one rounding.
  bool fuses = true;
  /// Has AVX-512, whose registers of 512 bits scale and estimate roots.
  bool hasAvx512 = false;
  /// Extends FP16 to FP32 and truncates to it.
  bool convertsHalves = true;
  /// Sines of large angles are computed, in a branch. Without, code has no
  /// branch; it is for those who look at what usual angles take.
  bool knowsLargeAngles = true;
  /// The intrinsic that raises 2 to a power, of single numbers of FP32, wrong
  /// in the last two bits at most. Empty if there is none.
  std::string powerOfTwo;
};

} // namespace tegula

#endif // TEGULA_BACKENDS_MATH_MATHTARGET_H
