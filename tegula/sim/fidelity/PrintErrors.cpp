// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/fidelity/PrintErrors.h"

#include "tegula/sim/fidelity/Fit.h"
#include "llvm/Support/Format.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::format;

void sim::printErrors(llvm::raw_ostream &out, const char *model,
                      const std::vector<double> &predicted,
                      const Measurements &rows) {
  std::vector<double> measured;
  for (const Measurement &row : rows)
    measured.push_back(row.cycles);
  ErrorStatistics statistics = getStatistics(predicted, measured);
  out << format("  %-42s mean %5.1f %%  median %5.1f %%  p90 %5.1f %%  worst "
                "%5.1f %%  bias %+5.1f %%\n",
                model, 100 * statistics.mean, 100 * statistics.median,
                100 * statistics.p90, 100 * statistics.worst,
                100 * statistics.bias);
}

void sim::printRows(llvm::raw_ostream &out,
                    const std::vector<double> &predicted,
                    const Measurements &rows) {
  for (size_t row = 0; row < rows.size(); ++row)
    out << format("  %-32s measured %8.0f  simulated %8.0f  %+5.1f %%\n",
                  rows[row].name.c_str(), rows[row].cycles, predicted[row],
                  100 * (predicted[row] / rows[row].cycles - 1));
}
