// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What ranks did, as a drawing.

#ifndef TEGULA_DIST_CONTROL_RANKPICTURE_H
#define TEGULA_DIST_CONTROL_RANKPICTURE_H

#include "tegula/dist/RankMeasures.h"

namespace tegula {

/// An SVG with a row for each rank: when it was dispatched, moved data, waited.
/// Events that are too near to tell apart are drawn as one.
std::string drawRanks(const RankEvents &events);

} // namespace tegula

#endif // TEGULA_DIST_CONTROL_RANKPICTURE_H
