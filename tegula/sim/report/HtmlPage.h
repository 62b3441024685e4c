// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The page of the HTML report around its data, in the order in which its parts
/// are written. The scripts read the object `data`.

#ifndef TEGULA_SIM_REPORT_HTMLPAGE_H
#define TEGULA_SIM_REPORT_HTMLPAGE_H

namespace tegula::sim {

/// Up to where the drawing of a sweep stands.
extern const char htmlHead[];
/// Between that and the data.
extern const char htmlBeforeData[];
/// After the data: helpers, and what is drawn over time.
extern const char htmlTimeline[];
/// What else is drawn, and the end of the page.
extern const char htmlCharts[];

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_HTMLPAGE_H
