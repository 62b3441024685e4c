// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How exact functions of FP32 are, over their whole range.
#include "CpuFixture.h"

#include <limits>

using namespace tegula;

namespace {

class CpuMath : public CpuTest {
protected:
  static constexpr int64_t count = 1 << 16;

  static double ulpOf(float number) {
    float size = std::max(std::abs(number), std::numeric_limits<float>::min());
    return double(std::nextafter(size, INFINITY)) - size;
  }

  /// Checks numbers evenly spread over all bit patterns, and over [-20, 20].
  void check(const char *op, double (*exact)(double), double mostUlps) {
    SCOPED_TRACE(op);
    std::string tensor = "!pl.tensor<[65536], f32>";
    compile("func.func @f(%x: " + tensor + ", %y: " + tensor +
            ") {\n%a = pl.load %x : " + tensor + "\n%b = pl." + op +
            " %a : !pl.tile<[65536], f32>\npl.store %b, %y : "
            "!pl.tile<[65536], f32>, " +
            tensor + "\nreturn\n}");
    ASSERT_TRUE(kernel);
    for (bool isBits : {true, false}) {
      TestTensor x(DType::FP32, {count}), y(DType::FP32, {count});
      auto *in = static_cast<float *>(x.view().data);
      auto *out = static_cast<float *>(y.view().data);
      for (int64_t at = 0; at < count; ++at) {
        uint32_t bits = uint32_t(at) << 16 | uint32_t(at * 40503) >> 16;
        std::memcpy(&in[at], &bits, 4);
        if (!isBits)
          in[at] = -20 + 40 * float(at) / count;
      }
      call({&x, &y});
      compareUlps(in, out, exact, mostUlps);
    }
  }

  void compareUlps(const float *in, const float *out, double (*exact)(double),
                   double mostUlps) {
    int failures = 0;
    for (int64_t at = 0; at < count; ++at) {
      double wanted = exact(in[at]);
      auto rounded = float(wanted);
      bool isSame =
          std::isfinite(rounded) && std::isfinite(out[at])
              ? std::abs(out[at] - wanted) <= mostUlps * ulpOf(rounded)
              : out[at] == rounded ||
                    (std::isnan(out[at]) && std::isnan(rounded));
      if (!isSame && ++failures <= 3)
        ADD_FAILURE() << "of " << in[at] << ": got " << out[at] << ", wanted "
                      << rounded;
    }
    EXPECT_EQ(failures, 0);
  }
};

} // namespace

TEST_F(CpuMath, StaysWithinFourUlps) {
  check("exp", std::exp, 4);
  check("log", std::log, 4);
  check("tanh", std::tanh, 4);
  check("erf", std::erf, 4);
  check("sin", std::sin, 4);
  check("cos", std::cos, 4);
}

TEST_F(CpuMath, RoundsRootsOnce) {
  check("sqrt", std::sqrt, 0.5);
  check("recip", [](double x) { return 1 / x; }, 0.5);
}
