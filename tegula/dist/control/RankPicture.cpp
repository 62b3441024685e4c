// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/dist/control/RankPicture.h"

#include <algorithm>
#include <array>
#include <cstdio>

using namespace tegula;

static constexpr double left = 70, width = 900, rowHeight = 34, top = 40;

namespace {

/// What is drawn in one colour, the longest things first.
struct Layer {
  const char *name;
  const char *colour;
  std::vector<RankEvent::Kind> kinds;
};

/// From when to when.
struct Span {
  int64_t begin = INT64_MAX, end = INT64_MIN;
};

} // namespace

static const std::array<Layer, 3> &layers() {
  static const std::array<Layer, 3> all = {
      Layer{"computing", "#4c9f70", {RankEvent::Kind::Dispatch}},
      Layer{"moving data",
            "#3b6ea8",
            {RankEvent::Kind::Read, RankEvent::Kind::Write}},
      Layer{"waiting", "#d9903d", {RankEvent::Kind::Wait}}};
  return all;
}

static std::string format(const char *pattern, double a, double b, double c,
                          double d, const char *text) {
  char line[256];
  std::snprintf(line, sizeof(line), pattern, a, b, c, d, text);
  return line;
}

static Span spanOf(const RankEvents &events) {
  Span span;
  for (const std::vector<RankEvent> &rank : events)
    for (const RankEvent &event : rank) {
      span.begin = std::min(span.begin, event.begin);
      span.end = std::max(span.end, event.end);
    }
  return span;
}

/// The events of a layer as bars; those less than a third of a pixel apart are
/// one.
static std::string drawRow(const std::vector<RankEvent> &events,
                           const Layer &layer, Span span, double y) {
  double scale =
      width / static_cast<double>(std::max<int64_t>(span.end - span.begin, 1));
  std::vector<std::pair<double, double>> bars;
  for (const RankEvent &event : events)
    if (std::find(layer.kinds.begin(), layer.kinds.end(), event.kind) !=
        layer.kinds.end())
      bars.emplace_back(static_cast<double>(event.begin - span.begin) * scale,
                        static_cast<double>(event.end - span.begin) * scale);
  std::sort(bars.begin(), bars.end());
  std::string text;
  for (size_t first = 0; first < bars.size();) {
    auto [begin, end] = bars[first];
    size_t next = first + 1;
    for (; next < bars.size() && bars[next].first < end + 0.33; ++next)
      end = std::max(end, bars[next].second);
    text += format("<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" "
                   "height=\"%.1f\" fill=\"%s\"/>\n",
                   left + begin, y, std::max(end - begin, 0.2), rowHeight - 12,
                   layer.colour);
    first = next;
  }
  return text;
}

std::string tegula::drawRanks(const RankEvents &events) {
  Span span = spanOf(events);
  if (span.end < span.begin)
    span = {0, 0};
  double height = top + rowHeight * static_cast<double>(events.size()) + 40;
  std::string text =
      format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
             "height=\"%.0f\" font-family=\"sans-serif\" font-size=\"13\">\n",
             left + width + 20, height, 0, 0, "");
  text += "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  double x = left;
  for (const Layer &layer : layers()) {
    text += format("<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" "
                   "height=\"%.0f\" fill=\"%s\"/>\n",
                   x, 10, 12, 12, layer.colour);
    text += format("<text x=\"%.0f\" y=\"%.0f\">", x + 18, 21, 0, 0, "");
    text += std::string(layer.name) + "</text>\n";
    x += 120;
  }
  for (size_t rank = 0; rank < events.size(); ++rank) {
    double y = top + rowHeight * static_cast<double>(rank);
    text += format("<text x=\"%.0f\" y=\"%.0f\">", 8, y + 16, 0, 0, "");
    text += "rank " + std::to_string(rank) + "</text>\n";
    for (const Layer &layer : layers())
      text += drawRow(events[rank], layer, span, y);
  }
  double bottom = top + rowHeight * static_cast<double>(events.size()) + 16;
  text +=
      format("<text x=\"%.0f\" y=\"%.0f\">0</text>\n", left, bottom, 0, 0, "");
  text += format("<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">%.3f "
                 "ms</text>\n</svg>\n",
                 left + width, bottom,
                 static_cast<double>(span.end - span.begin) / 1e6, 0, "");
  return text;
}
