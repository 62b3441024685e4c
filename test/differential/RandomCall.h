// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arguments for a call of a kernel: random elements in tensors that lie in
/// memory in many ways, with memory around them that nobody may touch.

#ifndef TEGULA_TEST_DIFFERENTIAL_RANDOMCALL_H
#define TEGULA_TEST_DIFFERENTIAL_RANDOMCALL_H

#include "tegula/launch/call/Argument.h"
#include "tegula/launch/call/Signature.h"
#include "test/differential/Runner.h"

namespace tegula::differential {

/// Sums of quarters are exact.
inline constexpr double quarter = 0.25;

/// What elements are.
enum class Elements : uint8_t {
  /// Floats of few bits, of which some are not finite, and integers.
  Usual,
  /// Numbers at the limits of their types as well: not of kernels whose sums
  /// could be of any order.
  Special
};

/// For all calls from now on.
void useElements(Elements elements);

/// Whether floats are as large or small as their type allows.
bool hasSpecialElements();

/// The arguments of one call and their memory, which is all ones where there
/// are no elements: floats that are read there are NaN.
struct Call {
  std::vector<Argument> arguments;
  std::vector<std::vector<char>> memory;
};

/// Tensors of these sizes; their floats are multiples of `unit`. The same seed
/// gives the same call.
Call makeCall(const Signature &signature, const Sizes &sizes, uint64_t seed,
              double unit = quarter);

/// The first tensor next to whose elements something was written, if there is
/// one. Its elements are lost.
std::string findWrittenOutside(const Signature &signature, Call &call);

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_RANDOMCALL_H
