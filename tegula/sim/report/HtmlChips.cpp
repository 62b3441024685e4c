// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/HtmlChips.h"

#include "tegula/sim/report/FormatNumbers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace tegula;
using namespace tegula::sim;
using llvm::format;

namespace {

/// What a chip does, and its colour.
struct ActivityColour {
  const char *name;
  const char *colour;
};

} // namespace

/// In the order of Activity.
static constexpr ActivityColour activities[numActivities] = {
    {"compute", "#2f81f7"},
    {"communication", "#e3892b"},
    {"waiting", "#b35ac4"},
    {"other", "#8c959f"}};

static constexpr int rowHeight = 24, labelWidth = 110, barWidth = 700,
                     drawingWidth = 1000;

static void beginDrawing(const char *name, size_t numRows,
                         llvm::raw_ostream &out) {
  out << format("<svg class=\"drawing\" id=\"%s\" viewBox=\"0 0 %d %zu\">\n",
                name, drawingWidth, numRows * rowHeight + 4);
}

static void writeTexts(size_t row, const std::string &label,
                       const std::string &detail, llvm::raw_ostream &out) {
  size_t y = row * rowHeight + 16;
  out << format("<text x=\"2\" y=\"%zu\">", y) << label
      << format("</text><text class=\"weak\" x=\"%d\" y=\"%zu\">",
                labelWidth + barWidth + 10, y)
      << detail << "</text>\n";
}

static void writeBar(size_t row, double from, double share, const char *colour,
                     llvm::raw_ostream &out) {
  out << format("<rect x=\"%.2f\" y=\"%zu\" width=\"%.2f\" height=\"%d\" "
                "fill=\"%s\"/>\n",
                labelWidth + from * barWidth, row * rowHeight + 2,
                share * barWidth, rowHeight - 6, colour);
}

static void writeActivities(const Result &result, llvm::raw_ostream &out) {
  double total = double(std::max<Time>(1, result.total));
  beginDrawing("chips", result.chips.size(), out);
  for (auto [row, chip] : llvm::enumerate(result.chips)) {
    writeTexts(row, "chip " + std::to_string(row),
               "done after " + std::to_string(toCycles(chip.end)) + " cycles",
               out);
    double from = 0;
    for (auto [activity, time] : llvm::zip(activities, chip.activities)) {
      double share = double(time) / total;
      writeBar(row, from, share, activity.colour, out);
      from += share;
    }
  }
  out << "</svg>\n<div class=\"key\">";
  for (const ActivityColour &activity : activities)
    out << "<span><i style=\"background:" << activity.colour << "\"></i>"
        << activity.name << "</span>";
  out << "</div>\n";
}

/// The busiest first; a page is no place for hundreds of them.
static void writeLinks(const Result &result, llvm::raw_ostream &out) {
  constexpr size_t mostShown = 32;
  std::vector<LinkTraffic> links = result.links;
  llvm::stable_sort(links, [](const LinkTraffic &lhs, const LinkTraffic &rhs) {
    return lhs.busy > rhs.busy;
  });
  llvm::ArrayRef<LinkTraffic> shown =
      llvm::ArrayRef(links).take_front(mostShown);
  double total = double(std::max<Time>(1, result.total));
  out << "<p class=\"weak\">links, by how busy they are";
  if (shown.size() < links.size())
    out << "; " << links.size() - shown.size() << " more are less busy";
  out << "</p>\n";
  beginDrawing("links", shown.size(), out);
  for (auto [row, link] : llvm::enumerate(shown)) {
    double share = double(link.busy) / total;
    writeTexts(row,
               std::to_string(link.from) + " to " + std::to_string(link.to),
               formatBytes(link.bytes), out);
    writeBar(row, 0, share, activities[1].colour, out);
  }
  out << "</svg>\n";
}

void sim::writeChipSection(const Result &result, llvm::raw_ostream &out) {
  if (result.chips.empty())
    return;
  out << "<h2>Chips</h2>\n";
  writeActivities(result, out);
  writeLinks(result, out);
}
