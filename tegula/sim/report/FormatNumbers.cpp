// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/FormatNumbers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace tegula;
using namespace tegula::sim;

std::string sim::formatRate(double value) {
  if (value == 0)
    return "0";
  // Digits after the point that make four in all.
  int digits = 3 - int(std::floor(std::log10(std::abs(value))));
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", std::max(0, std::min(digits, 9)),
                value);
  return text;
}

static std::string scale(double value, const char *const *units,
                         unsigned numUnits) {
  unsigned unit = 0;
  for (; unit + 1 < numUnits && value >= 999.95; ++unit)
    value /= 1000;
  return formatRate(value) + " " + units[unit];
}

std::string sim::formatMicroseconds(double microseconds) {
  static const char *const units[] = {"ns", "us", "ms", "s"};
  return scale(1e3 * microseconds, units, 4);
}

std::string sim::formatBytes(int64_t bytes) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
  if (bytes < 1000)
    return std::to_string(bytes) + " B";
  return scale(double(bytes), units, 5);
}
