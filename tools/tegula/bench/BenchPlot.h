// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Times of kernels as a drawing.

#ifndef TEGULA_TOOLS_BENCHPLOT_H
#define TEGULA_TOOLS_BENCHPLOT_H

#include <string>
#include <vector>

namespace tegula {

/// A bar of the drawing.
struct BenchBar {
  std::string label;
  double seconds;
};

/// An SVG file with a bar for each time, from zero on.
std::string drawBars(const std::string &title,
                     const std::vector<BenchBar> &bars);

} // namespace tegula

#endif // TEGULA_TOOLS_BENCHPLOT_H
