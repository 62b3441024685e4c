// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/bench/BenchPlot.h"

#include "tools/tegula/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace tegula;

static std::string escape(const std::string &text) {
  std::string escaped;
  llvm::raw_string_ostream stream(escaped);
  llvm::printHTMLEscaped(text, stream);
  return escaped;
}

std::string tegula::drawBars(const std::string &title,
                             const std::vector<BenchBar> &bars) {
  constexpr int rowHeight = 26, top = 40, width = 760, lettering = 8;
  size_t longest = 0;
  double slowest = 0;
  for (const BenchBar &bar : bars) {
    longest = std::max(longest, bar.label.size());
    slowest = std::max(slowest, bar.seconds);
  }
  int left = 20 + lettering * static_cast<int>(std::min<size_t>(longest, 50));
  int height = top + rowHeight * static_cast<int>(bars.size()) + 10;
  // Drawings follow the page's colours: bars are seen on both.
  std::string text =
      llvm::formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" "
                    "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" "
                    "font-size=\"12\" fill=\"#333\">\n<style>:root {{ "
                    "color-scheme: light dark } @media "
                    "(prefers-color-scheme: dark) {{ svg {{ fill: #ddd } "
                    "}</style>\n"
                    "<text x=\"10\" y=\"22\" font-size=\"14\">{2}</text>\n",
                    width + left + 120, height, escape(title));
  int y = top;
  for (const BenchBar &bar : bars) {
    double length = slowest > 0 ? width * bar.seconds / slowest : 0;
    text += llvm::formatv(
        "<text x=\"{0}\" y=\"{1}\" text-anchor=\"end\">{2}</text>\n"
        "<rect x=\"{3}\" y=\"{4}\" width=\"{5:f1}\" height=\"16\" "
        "fill=\"#4878cf\"/>\n<text x=\"{6:f1}\" y=\"{1}\">{7}</text>\n",
        left - 8, y + 13, escape(bar.label), left, y, length, left + length + 6,
        formatTime(bar.seconds));
    y += rowHeight;
  }
  return text + "</svg>\n";
}
