// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/run/RandomFill.h"

#include <cmath>
#include <cstring>

using namespace tegula;

/// The next number of the splitmix64 sequence.
static uint64_t nextRandom(uint64_t &state) {
  uint64_t bits = state += 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

/// The sum of four uniform numbers, scaled to deviation 1.
static double toNormal(uint64_t bits) {
  double sum = 0;
  for (int part = 0; part < 4; ++part, bits >>= 16)
    sum += static_cast<double>(bits & 0xffff);
  return (sum / 65535.0 - 2.0) * std::sqrt(3.0);
}

static double toElement(uint64_t bits, DType dtype) {
  if (isFloat(dtype))
    return toNormal(bits);
  if (dtype == DType::Bool)
    return static_cast<double>(bits & 1);
  if (dtype == DType::Int4)
    return static_cast<double>(bits % 16) - 8.0;
  double natural = static_cast<double>(bits % 9);
  return isUnsigned(dtype) ? natural : static_cast<double>(bits % 17) - 8.0;
}

void tegula::fillRandomly(const Array &array, uint64_t seed) {
  uint64_t state = seed;
  DType dtype = array.getDType();
  forEachElement(array.getView(), [&](char *element) {
    writeElement(element, dtype, toElement(nextRandom(state), dtype));
  });
}
