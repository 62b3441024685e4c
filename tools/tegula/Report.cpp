// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cmath>

using namespace tegula;

/// Three significant digits.
static std::string formatShort(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

std::string tegula::formatTime(double seconds) {
  const char *units[] = {"s", "ms", "us", "ns"};
  unsigned unit = 0;
  while (unit < 3 && seconds < 1) {
    seconds *= 1000;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof(text), seconds < 100 ? "%.3g %s" : "%.0f %s",
                seconds, units[unit]);
  return text;
}

std::string tegula::formatDims(const Signature &signature,
                               const std::map<std::string, int64_t> &dims) {
  std::string text;
  for (const std::string &symbol : signature.getSymbols())
    text += (text.empty() ? "" : " ") + symbol + "=" +
            llvm::itostr(dims.at(symbol));
  return text;
}

std::string tegula::formatSummary(const std::string &name,
                                  const TensorView &view) {
  std::string bytes;
  double least = INFINITY, greatest = -INFINITY, sum = 0;
  int64_t count = 0, numNan = 0;
  forEachElement(view, [&](char *element) {
    if (isHalfByte(view.dtype))
      bytes.push_back(static_cast<char>(readHalfByte(element)));
    else
      bytes.append(element, getSize(view.dtype));
    double value = readElement(element, view.dtype);
    ++count;
    if (std::isnan(value)) {
      ++numNan;
      return;
    }
    least = std::min(least, value);
    greatest = std::max(greatest, value);
    sum += value;
  });
  std::string text = name + ": " + formatShape(view.getSizes()) + " " +
                     getName(view.dtype).str();
  if (count == 0)
    return text + ", no elements";
  if (numNan < count)
    text += ", min " + formatNumber(least) + ", max " + formatNumber(greatest) +
            ", mean " + formatNumber(sum / static_cast<double>(count - numNan));
  if (numNan > 0)
    text += ", " + llvm::itostr(numNan) + " NaN";
  return text + ", checksum " +
         llvm::utohexstr(llvm::xxh3_64bits(bytes), /*LowerCase=*/true, 16);
}

std::string tegula::formatComparison(const Comparison &output) {
  std::string errors = "largest error " + formatShort(output.absoluteError) +
                       " absolute, " + formatShort(output.relativeError) +
                       " relative (limit " + formatShort(output.tolerance) +
                       ")";
  if (output.agrees())
    return "check " + output.name + ": ok, " + errors;
  return "check " + output.name + ": WRONG, " + llvm::itostr(output.numWrong) +
         " of " + llvm::itostr(output.numElements) + " elements; " + errors +
         "; " + output.firstWrong;
}

std::string tegula::formatCulprit(const Culprit &culprit) {
  std::string text = "bisect: " + culprit.pass + " changed '" +
                     culprit.output.name + "': " + culprit.output.firstWrong +
                     "\n";
  if (!culprit.op.empty())
    text += "bisect: it is written by " + culprit.op + "\n";
  return text;
}

void tegula::printWarnings(llvm::ArrayRef<KernelWarning> warnings) {
  for (const KernelWarning &warning : warnings)
    (warning.path.empty() ? llvm::outs() : llvm::errs())
        << warning.text << "\n";
  llvm::outs().flush();
}
