// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/sweep/Sweep.h"
#include "tegula/sim/report/Axis.h"
#include "tegula/sim/report/WriteCsv.h"
#include "tegula/sim/report/WriteSvg.h"
#include "tegula/sim/report/WriteSweepTable.h"
#include "tegula/sim/sweep/ExtentList.h"
#include "llvm/ADT/SmallVector.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tegula;
using namespace tegula::sim;
using testing::HasSubstr;
using Extents = std::vector<int64_t>;

static Extents parse(llvm::StringRef text) {
  llvm::Expected<Extents> extents = parseExtentList(text);
  if (!extents) {
    ADD_FAILURE() << llvm::toString(extents.takeError());
    return {};
  }
  return *extents;
}

static std::string getProblem(llvm::StringRef text) {
  llvm::Expected<Extents> extents = parseExtentList(text);
  return extents ? "" : llvm::toString(extents.takeError());
}

TEST(ExtentList, ReadsNumbersListsAndRanges) {
  EXPECT_EQ(parse("512"), (Extents{512}));
  EXPECT_EQ(parse("64,100,128"), (Extents{64, 100, 128}));
  EXPECT_EQ(parse("64..512:x2"), (Extents{64, 128, 256, 512}));
  EXPECT_EQ(parse("64..200:+64"), (Extents{64, 128, 192}));
  EXPECT_EQ(parse("1,64..256:x2,64"), (Extents{1, 64, 128, 256}));
  EXPECT_EQ(parse("7..7:x2"), (Extents{7}));
  EXPECT_EQ(parse("0,0..2:+1"), (Extents{0, 1, 2}));
  EXPECT_EQ(parse("2147483647"), (Extents{2147483647}));
}

TEST(ExtentList, SaysWhatIsWrong) {
  for (llvm::StringRef text : {"", "x", "4x", "1,,2", "-", "4 ", "+4"})
    EXPECT_THAT(getProblem(text), HasSubstr("is neither a size nor"))
        << text.str();
  for (llvm::StringRef text :
       {"-4", "2147483648", "99999999999999999999", "-1..3:x2"})
    EXPECT_THAT(getProblem(text), HasSubstr("is from 0 to 2147483647"))
        << text.str();
  EXPECT_EQ(getProblem("64..32:x2"),
            "the range '64..32' ends before it begins");
  EXPECT_EQ(getProblem("0..8:x2"),
            "the range '0..8' stays at 0 whatever it is multiplied with");
  EXPECT_EQ(getProblem("64..512"),
            "the range '64..512' needs a step: 64..512:x2 or 64..512:+64");
  for (llvm::StringRef text : {"1..9:x1", "1..9:+0", "1..9:x", "1..9:+-1"})
    EXPECT_THAT(getProblem(text), HasSubstr("the step")) << text.str();
  EXPECT_EQ(getProblem("1..20000:+1"),
            "'1..20000:+1' has more than 10000 sizes");
}

TEST(Sweep, TheAxisVariesFastest) {
  std::vector<Extents> sizes = listSizes({{1, 2}, {7}, {3, 4}}, {2, 0});
  EXPECT_EQ(sizes,
            (std::vector<Extents>{{1, 7, 3}, {1, 7, 4}, {2, 7, 3}, {2, 7, 4}}));
}

/// Two curves of three points.
static Sweep makeSweep(llvm::StringRef whatIf = "") {
  Sweep sweep;
  sweep.kernel = "gemm<f32>";
  sweep.machine = "a, b";
  sweep.whatIf = whatIf.str();
  sweep.symbols = {"M", "N", "K"};
  sweep.swept = {0, 2};
  sweep.fixed = "N=8";
  for (const Extents &extents :
       listSizes({{64, 128, 1024}, {8}, {16, 32}}, sweep.swept)) {
    SweepPoint point;
    point.extents = extents;
    point.summary.cycles = extents[0] * extents[2];
    point.summary.computeShare = 0.25;
    if (!whatIf.empty()) {
      point.changed = point.summary;
      point.changed->cycles /= 2;
    }
    sweep.points.push_back(point);
  }
  return sweep;
}

template <typename Write> static std::string collect(Write write) {
  std::string text;
  llvm::raw_string_ostream out(text);
  write(out);
  return text;
}

TEST(WriteCsv, HasACellPerColumn) {
  for (llvm::StringRef whatIf : {"", "cores=2"}) {
    Sweep sweep = makeSweep(whatIf);
    sweep.machine = "plain";
    std::string text =
        collect([&](llvm::raw_ostream &out) { writeCsv(sweep, out); });
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
    ASSERT_EQ(lines.size(), 7u);
    EXPECT_TRUE(lines[0].starts_with("kernel,machine,M,N,K,cycles,"));
    EXPECT_TRUE(lines[0].contains(",dma_in_busy,dma_in_useful,"));
    for (llvm::StringRef line : lines)
      EXPECT_EQ(line.count(','), lines[0].count(',')) << line.str();
    EXPECT_TRUE(lines[1].starts_with("gemm<f32>,plain,64,8,16,1024,"));
    EXPECT_EQ(lines[1].ends_with(",0.5"), !whatIf.empty());
  }
}

TEST(WriteCsv, QuotesNames) {
  EXPECT_THAT(
      collect([](llvm::raw_ostream &out) { writeCsv(makeSweep(), out); }),
      HasSubstr("gemm<f32>,\"a, b\",64,"));
}

TEST(WriteSweepTable, LinesStandUnderTheHeading) {
  Sweep sweep = makeSweep("cores=2");
  std::string text = collect([&](llvm::raw_ostream &out) {
    writeSweepHead(sweep, out);
    for (const SweepPoint &point : sweep.points)
      writeSweepLine(sweep, point, out);
  });
  EXPECT_THAT(text, HasSubstr("gemm<f32> N=8 on a, b, changed: cores=2\n"));
  EXPECT_THAT(text, HasSubstr("\n      64      16          1024"));
  EXPECT_THAT(text, HasSubstr("512  x0.500\n"));
}

TEST(Axis, IsLogarithmicForWideRanges) {
  Axis wide = Axis::around({64, 128, 1024, 8192}, 0, 70);
  EXPECT_EQ(wide.scale, AxisScale::Logarithmic);
  EXPECT_NEAR(wide.toPixels(128), 10, 1e-9);
  EXPECT_EQ(wide.getTicks(10, /*inPowersOfTwo=*/true).size(), 8u);
  Axis narrow = Axis::around({64, 128}, 0, 64);
  EXPECT_EQ(narrow.scale, AxisScale::Linear);
  EXPECT_NEAR(narrow.toPixels(96), 32, 1e-9);
  Axis even = Axis::around({64, 2048, 4096, 8192}, 0, 64);
  EXPECT_EQ(even.scale, AxisScale::Linear);
  Axis one = Axis::around({64}, 0, 10);
  EXPECT_NEAR(one.toPixels(64), 5, 1e-9);
  EXPECT_EQ(formatTick(20000), "20k");
  EXPECT_EQ(formatTick(1500), "1500");
}

TEST(WriteSvg, HasACurvePerSeriesAndEscapesNames) {
  for (llvm::StringRef whatIf : {"", "cores=2"}) {
    Sweep sweep = makeSweep(whatIf);
    llvm::StringRef kept;
    std::string text =
        collect([&](llvm::raw_ostream &out) { writeSvg(sweep, out); });
    kept = text;
    EXPECT_EQ(kept.count("<polyline"), whatIf.empty() ? 4u : 6u);
    EXPECT_EQ(kept.count("<circle"), 12u);
    EXPECT_EQ(kept.count("gemm<"), 0u);
    EXPECT_THAT(text, HasSubstr(">gemm&lt;f32&gt; N=8 on a, b</text>"));
    EXPECT_THAT(text, HasSubstr(">M, elements</text>"));
    EXPECT_THAT(text, HasSubstr(">cycles</text>"));
    EXPECT_THAT(text, HasSubstr(">% of the peak</text>"));
    EXPECT_THAT(text, HasSubstr(">K=32</text>"));
    EXPECT_THAT(
        text,
        HasSubstr("M=128 N=8 K=16: 2048 cycles, 25.00 % of the compute peak"));
    EXPECT_EQ(text.find("nan"), std::string::npos);
  }
}
