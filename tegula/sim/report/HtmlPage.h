// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The page of the HTML report around its data: markup, style and the script
/// that draws. The script reads the object `data`, which stands between the two
/// halves.

#ifndef TEGULA_SIM_REPORT_HTMLPAGE_H
#define TEGULA_SIM_REPORT_HTMLPAGE_H

namespace tegula::sim {

/// Up to where the data stands.
extern const char htmlHead[];
/// After the data.
extern const char htmlTail[];

} // namespace tegula::sim

#endif // TEGULA_SIM_REPORT_HTMLPAGE_H
