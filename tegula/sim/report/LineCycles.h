// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How long the units of a machine worked for each line of the source.

#ifndef TEGULA_SIM_REPORT_LINECYCLES_H
#define TEGULA_SIM_REPORT_LINECYCLES_H

#include "tegula/sim/engine/Observer.h"

#include <array>
#include <map>

namespace tegula::sim {

/// Sums up operations as they come.
class LineCycles : public Observer {
public:
  /// Of all cores together, by unit.
  using Work = std::array<Time, numUnits>;

  void onOp(const OpRecord &record) override {
    work[record.op.line][static_cast<size_t>(record.unit)] +=
        record.freed - record.started;
  }

  /// By lines, in order; 0 is what belongs to none.
  const std::map<int32_t, Work> &getLines() const { return work; }

private:
  std::map<int32_t, Work> work;
};

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_LINECYCLES_H
