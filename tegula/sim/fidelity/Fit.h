// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Errors of predictions, and a search for constants that make them small.

#ifndef TEGULA_SIM_FIDELITY_FIT_H
#define TEGULA_SIM_FIDELITY_FIT_H

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace tegula::sim {

/// How far predictions are from measurements, as shares of the latter.
struct ErrorStatistics {
  double mean = 0, median = 0, p90 = 0, worst = 0, bias = 0;
};

inline ErrorStatistics getStatistics(const std::vector<double> &predicted,
                                     const std::vector<double> &measured) {
  ErrorStatistics statistics;
  std::vector<double> errors;
  for (size_t row = 0; row < measured.size(); ++row) {
    double error = predicted[row] / measured[row] - 1;
    errors.push_back(std::abs(error));
    statistics.bias += error / double(measured.size());
    statistics.mean += std::abs(error) / double(measured.size());
  }
  std::sort(errors.begin(), errors.end());
  statistics.median = errors[errors.size() / 2];
  statistics.p90 = errors[size_t(double(errors.size() - 1) * 0.9 + 0.5)];
  statistics.worst = errors.back();
  return statistics;
}

/// A constant that may be changed.
struct FitConstant {
  double value, least, most, step;
};

/// Moves `constants` one at a time, in ever smaller steps, while `cost` falls;
/// returns the least cost.
inline double
fit(std::vector<FitConstant> &constants,
    const std::function<double(const std::vector<FitConstant> &)> &cost,
    int halvings) {
  double best = cost(constants);
  for (int round = 0; round < halvings;) {
    bool hasImproved = false;
    for (FitConstant &constant : constants)
      for (double direction : {1.0, -1.0}) {
        double before = constant.value;
        constant.value = std::clamp(before + direction * constant.step,
                                    constant.least, constant.most);
        double now = constant.value == before ? best : cost(constants);
        if (now < best) {
          best = now;
          hasImproved = true;
          break;
        }
        constant.value = before;
      }
    if (hasImproved)
      continue;
    ++round;
    for (FitConstant &constant : constants)
      constant.step /= 2;
  }
  return best;
}

} // namespace tegula::sim

#endif // TEGULA_SIM_FIDELITY_FIT_H
