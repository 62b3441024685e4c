// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Times, bytes and rates for people: three or four digits and a unit.

#ifndef TEGULA_SIM_REPORT_FORMATNUMBERS_H
#define TEGULA_SIM_REPORT_FORMATNUMBERS_H

#include <cstdint>
#include <string>

namespace tegula::sim {

/// "22.71 us", "1.204 ms"
std::string formatMicroseconds(double microseconds);

/// "512 B", "1.049 MB"; a MB is a million bytes.
std::string formatBytes(int64_t bytes);

/// Four digits, and never an exponent: "30.81", "138.5", "0.0312".
std::string formatRate(double value);

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_FORMATNUMBERS_H
