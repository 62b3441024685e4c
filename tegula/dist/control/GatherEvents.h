// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The events of all ranks, on every rank.

#ifndef TEGULA_DIST_CONTROL_GATHEREVENTS_H
#define TEGULA_DIST_CONTROL_GATHEREVENTS_H

#include "tegula/dist/RankMeasures.h"
#include "tegula/dist/control/ProcessRanks.h"

namespace tegula {

/// Takes what each rank recorded; all ranks call it, between calls, and record
/// nothing meanwhile.
Problem gatherEvents(ProcessRanks &ranks, RankRecorder &recorder,
                     RankEvents &events);

} // namespace tegula

#endif // TEGULA_DIST_CONTROL_GATHEREVENTS_H
