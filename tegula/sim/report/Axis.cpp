// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/Axis.h"

#include "tegula/support/Format.h"
#include <algorithm>
#include <cmath>

using namespace tegula;
using namespace tegula::sim;

Axis Axis::around(llvm::ArrayRef<double> numbers, double begin, double end) {
  std::vector<double> sorted(numbers);
  std::sort(sorted.begin(), sorted.end());
  Axis axis{begin, end};
  axis.least = sorted.front();
  axis.most = sorted.back();
  double middle = sorted[sorted.size() / 2];
  bool isLow = middle - axis.least < 0.35 * (axis.most - axis.least);
  if (axis.least > 0 && axis.most >= 8 * axis.least && isLow) {
    axis.scale = AxisScale::Logarithmic;
    return axis;
  }
  // One number lies in the middle.
  if (axis.most == axis.least) {
    axis.least *= 0.5;
    axis.most = axis.most > 0 ? 1.5 * axis.most : 1;
  }
  return axis;
}

double Axis::toPixels(double number) const {
  double share = scale == AxisScale::Linear
                     ? (number - least) / (most - least)
                     : std::log(number / least) / std::log(most / least);
  return begin + share * (end - begin);
}

/// The round number at or above `step`: 1, 2 or 5 times a power of ten.
static double roundUp(double step) {
  double power = std::pow(10, std::floor(std::log10(step)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= step * (1 - 1e-9))
      return factor * power;
  return 10 * power;
}

static std::vector<double> thin(const std::vector<double> &ticks, int count) {
  size_t every = (ticks.size() + size_t(count) - 1) / size_t(count);
  std::vector<double> kept;
  for (size_t tick = 0; tick < ticks.size(); tick += std::max<size_t>(1, every))
    kept.push_back(ticks[tick]);
  return kept;
}

std::vector<double> Axis::getTicks(int count, bool inPowersOfTwo) const {
  std::vector<double> ticks;
  double margin = 1e-9 * most;
  if (scale == AxisScale::Linear) {
    double step = (most - least) / count;
    step =
        inPowersOfTwo ? std::exp2(std::ceil(std::log2(step))) : roundUp(step);
    auto first = static_cast<int64_t>(std::ceil(least / step - 1e-9));
    for (int64_t tick = first; double(tick) * step <= most + margin; ++tick)
      ticks.push_back(double(tick) * step);
    return ticks;
  }
  if (inPowersOfTwo) {
    for (double tick = std::exp2(std::ceil(std::log2(least) - 1e-9));
         tick <= most + margin; tick *= 2)
      ticks.push_back(tick);
    return thin(ticks, count);
  }
  bool isWide = most / least > 1000;
  for (double power = std::pow(10, std::floor(std::log10(least)));
       power <= most + margin; power *= 10)
    for (double factor : {1.0, 2.0, 5.0})
      if (power * factor >= least - margin && power * factor <= most + margin &&
          (!isWide || factor == 1))
        ticks.push_back(power * factor);
  return thin(ticks, count);
}

std::string sim::formatTick(double number) {
  if (number >= 1e9)
    return formatNumber(number / 1e9) + "G";
  if (number >= 1e6)
    return formatNumber(number / 1e6) + "M";
  if (number >= 1e4)
    return formatNumber(number / 1e3) + "k";
  return formatNumber(number);
}
