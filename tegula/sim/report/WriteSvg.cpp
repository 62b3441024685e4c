// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/WriteSvg.h"

#include "tegula/sim/report/Axis.h"
#include "tegula/sim/report/FormatNumbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;
using llvm::format;
using llvm::StringRef;

static constexpr double left = 74, right = 700, width = 860;
static constexpr double cyclesTop = 46, cyclesBottom = 286;
static constexpr double useTop = 322, useBottom = 482, height = 540;
static constexpr size_t maxNamed = 20;
static constexpr llvm::StringLiteral plain("stroke-width=\"2\"");
static constexpr llvm::StringLiteral
    dashed("stroke-width=\"2\" stroke-dasharray=\"6 4\"");
static constexpr llvm::StringLiteral
    dotted("stroke-width=\"1.5\" stroke-dasharray=\"2 3\"");

static StringRef getColour(size_t series) {
  static constexpr llvm::StringLiteral colours[] = {
      "#3b82c4", "#d9822b", "#3a9e5f", "#c75a8a",
      "#8a6fd1", "#a98b32", "#2fa3a3", "#c4524a"};
  return colours[series % std::size(colours)];
}

static std::string escape(StringRef text) {
  std::string escaped;
  for (char letter : text) {
    if (letter == '<')
      escaped += "&lt;";
    else if (letter == '>')
      escaped += "&gt;";
    else if (letter == '&')
      escaped += "&amp;";
    else
      escaped += letter;
  }
  return escaped;
}

namespace {

/// A value of a point, to be drawn.
using Value = llvm::function_ref<double(const SweepPoint &)>;

/// The points of one curve.
struct Series {
  std::string name;
  std::vector<const SweepPoint *> points;
};

/// Draws one sweep.
class Drawing {
public:
  Drawing(const Sweep &sweep, llvm::raw_ostream &out)
      : sweep(sweep), out(out), xAxis(makeXAxis()), cyclesAxis(makeYAxis()) {
    for (const SweepPoint &point : sweep.points) {
      std::string name = sweep.formatSeries(point);
      auto found = llvm::find_if(
          series, [&](const Series &each) { return each.name == name; });
      if (found == series.end())
        found = series.insert(found, {std::move(name), {}});
      found->points.push_back(&point);
    }
  }

  void draw();

private:
  double getExtent(const SweepPoint &point) const {
    return double(point.extents[sweep.swept.front()]);
  }
  Axis makeXAxis() const;
  Axis makeYAxis() const;
  void drawText(double x, double y, StringRef anchor, StringRef text,
                StringRef more = "");
  void drawFrame(double top, double bottom);
  void drawXTicks();
  void drawYTicks(const Axis &axis, int count, StringRef unit);
  void drawCurve(const Series &curve, StringRef colour, StringRef style,
                 const Axis &yAxis, Value value);
  void drawMarks(const Series &curve, StringRef colour);
  void drawSeries(size_t index);
  void drawKey();

  const Sweep &sweep;
  llvm::raw_ostream &out;
  std::vector<Series> series;
  Axis xAxis;
  Axis cyclesAxis;
  Axis useAxis{useBottom, useTop, AxisScale::Linear, 0, 100};
};

} // namespace

Axis Drawing::makeXAxis() const {
  std::vector<double> extents;
  for (const SweepPoint &point : sweep.points)
    extents.push_back(getExtent(point));
  return Axis::around(extents, left, right);
}

Axis Drawing::makeYAxis() const {
  std::vector<double> cycles;
  for (const SweepPoint &point : sweep.points) {
    cycles.push_back(double(point.summary.cycles));
    if (point.changed)
      cycles.push_back(double(point.changed->cycles));
  }
  auto [least, most] = std::minmax_element(cycles.begin(), cycles.end());
  // Room above and below, so that no curve runs along the frame.
  if (xAxis.scale == AxisScale::Logarithmic)
    return {cyclesBottom, cyclesTop, AxisScale::Logarithmic, *least / 1.3,
            *most * 1.3};
  return {cyclesBottom, cyclesTop, AxisScale::Linear, 0, *most * 1.05};
}

void Drawing::drawText(double x, double y, StringRef anchor, StringRef text,
                       StringRef more) {
  out << format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"", x, y) << anchor
      << "\"" << more << ">" << escape(text) << "</text>\n";
}

void Drawing::drawFrame(double top, double bottom) {
  out << format("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "fill=\"none\" stroke=\"#808080\"/>\n",
                left, top, right - left, bottom - top);
}

void Drawing::drawXTicks() {
  for (double tick : xAxis.getTicks(10, /*inPowersOfTwo=*/true)) {
    double x = xAxis.toPixels(tick);
    for (auto [top, bottom] :
         {std::pair(cyclesTop, cyclesBottom), std::pair(useTop, useBottom)})
      out << format("<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>\n", x, top,
                    bottom);
    drawText(x, useBottom + 18, "middle", formatTick(tick));
  }
  drawText((left + right) / 2, useBottom + 40, "middle",
           sweep.symbols[sweep.swept.front()] + ", elements");
}

void Drawing::drawYTicks(const Axis &axis, int count, StringRef unit) {
  for (double tick : axis.getTicks(count, /*inPowersOfTwo=*/false)) {
    double y = axis.toPixels(tick);
    out << format("<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", left, y,
                  right);
    drawText(left - 8, y + 4, "end", formatTick(tick));
  }
  double middle = (axis.begin + axis.end) / 2;
  std::string rotation;
  llvm::raw_string_ostream(rotation)
      << format(" transform=\"rotate(-90 16 %.1f)\"", middle);
  drawText(16, middle, "middle", unit, rotation);
}

void Drawing::drawCurve(const Series &curve, StringRef colour, StringRef style,
                        const Axis &yAxis, Value value) {
  out << "<polyline fill=\"none\" stroke=\"" << colour << "\" " << style
      << " points=\"";
  const char *separator = "";
  for (const SweepPoint *point : curve.points) {
    out << separator
        << format("%.1f,%.1f", xAxis.toPixels(getExtent(*point)),
                  yAxis.toPixels(value(*point)));
    separator = " ";
  }
  out << "\"/>\n";
}

/// A dot per point, which says its numbers to whoever points at it.
void Drawing::drawMarks(const Series &curve, StringRef colour) {
  double radius = curve.points.size() > 60 ? 1.5 : 3;
  for (const SweepPoint *point : curve.points) {
    const Summary &summary = point->summary;
    std::string title = formatExtents(sweep.symbols, point->extents) + ": " +
                        std::to_string(summary.cycles) + " cycles, " +
                        formatRate(100 * summary.computeShare) +
                        " % of the compute peak, bound by " +
                        getName(summary.bound).str();
    for (double y : {cyclesAxis.toPixels(double(summary.cycles)),
                     useAxis.toPixels(100 * summary.computeShare)})
      out << format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"",
                    xAxis.toPixels(getExtent(*point)), y, radius)
          << colour << "\"><title>" << escape(title) << "</title></circle>\n";
  }
}

void Drawing::drawKey() {
  double y = cyclesTop + 10;
  auto addLine = [&](StringRef colour, StringRef style, StringRef name) {
    out << format("<path d=\"M%.1f %.1fh18\" stroke=\"", right + 14, y - 4)
        << colour << "\" " << style << "/>\n";
    drawText(right + 38, y, "start", name);
    y += 18;
  };
  if (sweep.swept.size() > 1)
    for (size_t index = 0; index < std::min(series.size(), maxNamed); ++index)
      addLine(getColour(index), plain, series[index].name);
  if (series.size() > maxNamed) {
    drawText(right + 38, y, "start",
             "and " + std::to_string(series.size() - maxNamed) + " more");
    y += 18;
  }
  if (!sweep.whatIf.empty()) {
    addLine("#808080", plain, "as it is");
    addLine("#808080", dashed, "changed");
  }
  if (series.size() == 1) {
    y = useTop + 10;
    addLine(getColour(0), plain, "compute");
    addLine(getColour(1), dotted, "memory");
  }
}

void Drawing::drawSeries(size_t index) {
  const Series &curve = series[index];
  StringRef colour = getColour(index);
  auto getCycles = [](const SweepPoint &point) {
    return double(point.summary.cycles);
  };
  auto getChangedCycles = [](const SweepPoint &point) {
    return double(point.changed->cycles);
  };
  auto getCompute = [](const SweepPoint &point) {
    return 100 * point.summary.computeShare;
  };
  auto getMemory = [](const SweepPoint &point) {
    return 100 * point.summary.bandwidthShare;
  };
  drawCurve(curve, colour, plain, cyclesAxis, getCycles);
  if (!sweep.whatIf.empty())
    drawCurve(curve, colour, dashed, cyclesAxis, getChangedCycles);
  drawCurve(curve, colour, plain, useAxis, getCompute);
  if (series.size() == 1)
    drawCurve(curve, getColour(1), dotted, useAxis, getMemory);
  drawMarks(curve, colour);
}

void Drawing::draw() {
  out << format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f "
                "%.0f\" font-family=\"sans-serif\" font-size=\"12\" "
                "fill=\"#808080\">\n",
                width, height)
      << "<style>.grid { stroke: #808080; stroke-opacity: 0.25; }</style>\n";
  std::string title = sweep.kernel + (sweep.fixed.empty() ? "" : " ") +
                      sweep.fixed + " on " + sweep.machine;
  drawText(left, 20, "start", title, " font-size=\"15\"");
  if (!sweep.whatIf.empty())
    drawText(left, 37, "start", "changed: " + sweep.whatIf);
  drawXTicks();
  drawYTicks(cyclesAxis, 7, "cycles");
  drawYTicks(useAxis, 5, "% of the peak");
  drawFrame(cyclesTop, cyclesBottom);
  drawFrame(useTop, useBottom);
  for (size_t index = 0; index < series.size(); ++index)
    drawSeries(index);
  drawKey();
  out << "</svg>\n";
}

void sim::writeSvg(const Sweep &sweep, llvm::raw_ostream &out) {
  Drawing(sweep, out).draw();
}
