// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/SpecialElements.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace tegula;
using namespace tegula::differential;

double differential::oddElement(Random &random) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  return random.pick(
      {std::numeric_limits<double>::quiet_NaN(), infinite, -infinite, -0.0});
}

static double getLargest(DType dtype) {
  switch (dtype) {
  case DType::FP64:
    return std::numeric_limits<double>::max();
  case DType::FP16:
    return 65504;
  case DType::FP8E4M3FN:
    return 448;
  case DType::FP8E5M2:
    return 57344;
  case DType::BF16:
    return std::ldexp(255, 120);
  default:
    return std::numeric_limits<float>::max();
  }
}

double differential::getSmallest(DType dtype) {
  switch (dtype) {
  case DType::FP64:
    return std::numeric_limits<double>::denorm_min();
  case DType::FP16:
    return std::ldexp(1, -24);
  case DType::FP8E4M3FN:
    return std::ldexp(1, -9);
  case DType::FP8E5M2:
    return std::ldexp(1, -16);
  case DType::BF16:
    return std::ldexp(1, -133);
  default:
    return std::numeric_limits<float>::denorm_min();
  }
}

double differential::specialFloat(Random &random, DType dtype) {
  double sign = random.chance(50) ? -1 : 1;
  switch (random.number(0, 5)) {
  case 0:
    return sign * getLargest(dtype);
  case 1:
    return sign * getSmallest(dtype);
  case 2:
    return sign * 3 * getSmallest(dtype);
  case 3:
    return sign * getLargest(dtype) / 2;
  default:
    return oddElement(random);
  }
}

int64_t differential::integerAtLimit(Random &random, DType dtype) {
  IntegerRange range = getIntegerRange(dtype);
  auto high = static_cast<int64_t>(
      std::min<uint64_t>(range.high, std::numeric_limits<int64_t>::max()));
  return std::clamp<int64_t>(
      random.pick<int64_t>({range.low, range.low, range.low + 1, high, high,
                            high - 1, -1, -1, 0, 0, 1, getBits(dtype),
                            getBits(dtype) - 1, getBits(dtype) + 1}),
      range.low, high);
}
