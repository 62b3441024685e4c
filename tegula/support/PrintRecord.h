// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a kernel prints, as text: numbers and arrays as NumPy shows them.

#ifndef TEGULA_SUPPORT_PRINTRECORD_H
#define TEGULA_SUPPORT_PRINTRECORD_H

#include <cstdint>
#include <string>

namespace tegula {

/// An array of more elements than this is shown by the first and the last
/// few along each axis.
inline constexpr int64_t mostPrintedElements = 1000;
inline constexpr int64_t printedEdge = 3;

/// The text of a record (PrintAbi.h), without an end of line.
std::string formatRecord(const int64_t *record);

} // namespace tegula

#endif // TEGULA_SUPPORT_PRINTRECORD_H
