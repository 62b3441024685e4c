// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How exact functions of floats are, over their whole range, by processors of
// every width of vectors.
#include "CpuFixture.h"

#include <cstring>
#include <limits>

using namespace tegula;

namespace {

class CpuMath : public CpuTest {
protected:
  static constexpr int64_t count = 1 << 15;

  template <typename Float> static double ulpOf(Float number) {
    Float size = std::max(std::abs(number), std::numeric_limits<Float>::min());
    return double(std::nextafter(size, Float(INFINITY)) - size);
  }

  /// Numbers evenly distributed among all bit patterns, and over [-20, 20].
  template <typename Float> static Float inputAt(int64_t at, bool isBits) {
    if (!isBits)
      return Float(-20 + 40 * double(at) / count);
    uint64_t bits = uint64_t(at) * 0x9e3779b97f4a7c15 >> 15 | uint64_t(at)
                                                                  << 49;
    if (sizeof(Float) == 4)
      bits >>= 32;
    Float number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
  }

  void compileFunction(const std::string &op, const std::string &element,
                       unsigned numOperands) {
    std::string tile = "!pl.tile<[32768], " + element + ">";
    std::string tensor = "!pl.tensor<[32768], " + element + ">";
    std::string source =
        "func.func @f(%x: " + tensor + ", %z: " + tensor + ", %y: " + tensor +
        ") {\n%a = pl.load %x : " + tensor + "\n%c = pl.load %z : " + tensor +
        "\n%b = pl." + op +
        (numOperands == 1 ? " %a : " : " %a, %c : " + tile + ", ") + tile +
        "\npl.store %b, %y : " + tile + ", " + tensor + "\nreturn\n}";
    compile(source);
  }

  template <typename Float>
  void check(const char *op, long double (*exact)(long double),
             double mostUlps) {
    SCOPED_TRACE(op);
    bool isDouble = sizeof(Float) == 8;
    compileFunction(op, isDouble ? "f64" : "f32", 1);
    ASSERT_TRUE(kernel);
    DType dtype = isDouble ? DType::FP64 : DType::FP32;
    for (bool isBits : {true, false}) {
      TestTensor x(dtype, {count}), z(dtype, {count}), y(dtype, {count});
      auto *in = static_cast<Float *>(x.view().data);
      auto *out = static_cast<Float *>(y.view().data);
      for (int64_t at = 0; at < count; ++at)
        in[at] = inputAt<Float>(at, isBits);
      call({&x, &z, &y});
      compareUlps(in, out, exact, mostUlps);
    }
  }

  template <typename Float>
  void compareUlps(const Float *in, const Float *out,
                   long double (*exact)(long double), double mostUlps) {
    int failures = 0;
    for (int64_t at = 0; at < count; ++at) {
      long double wanted = exact(in[at]);
      auto rounded = Float(wanted);
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

  template <typename Float> void checkAll() {
    check<Float>("exp", std::exp, 1.5);
    check<Float>("log", std::log, 1.5);
    check<Float>("tanh", std::tanh, 2);
    check<Float>("erf", std::erf, 2);
    check<Float>("sin", std::sin, 2);
    check<Float>("cos", std::cos, 2);
    check<Float>("rsqrt", [](long double x) { return 1 / std::sqrt(x); }, 1.5);
  }

  /// Results at the ends of the range, to the bit; zeros with their sign.
  template <typename Float>
  void checkSpecial(const char *op, unsigned numOperands,
                    Float (*exact)(Float, Float)) {
    SCOPED_TRACE(op);
    using Limits = std::numeric_limits<Float>;
    bool isDouble = sizeof(Float) == 8;
    compileFunction(op, isDouble ? "f64" : "f32", numOperands);
    ASSERT_TRUE(kernel);
    const Float special[] = {0,
                             -Float(0),
                             1,
                             -1,
                             2,
                             3,
                             -2,
                             -3,
                             Float(0.5),
                             -Float(0.5),
                             Limits::infinity(),
                             -Limits::infinity(),
                             Limits::quiet_NaN(),
                             Limits::max(),
                             Limits::lowest(),
                             Limits::min(),
                             Limits::denorm_min(),
                             -Limits::denorm_min()};
    DType dtype = isDouble ? DType::FP64 : DType::FP32;
    TestTensor x(dtype, {count}), z(dtype, {count}), y(dtype, {count});
    auto *in = static_cast<Float *>(x.view().data);
    auto *second = static_cast<Float *>(z.view().data);
    auto *out = static_cast<Float *>(y.view().data);
    constexpr int64_t kinds = std::size(special);
    for (int64_t at = 0; at < count; ++at) {
      in[at] = special[at % kinds];
      second[at] = special[at / kinds % kinds];
    }
    call({&x, &z, &y});
    for (int64_t at = 0; at < kinds * kinds; ++at) {
      Float wanted = exact(in[at], second[at]);
      // Elsewhere the last bits may differ.
      if (std::isfinite(wanted) && wanted != 0 && std::abs(wanted) != 1)
        continue;
      bool isSame = std::isnan(wanted)
                        ? std::isnan(out[at])
                        : out[at] == wanted &&
                              std::signbit(out[at]) == std::signbit(wanted);
      EXPECT_TRUE(isSame) << "of " << in[at] << ", " << second[at] << ": got "
                          << out[at] << ", wanted " << wanted;
    }
  }

  template <typename Float> void checkAllSpecial() {
    checkSpecial<Float>("exp", 1, [](Float x, Float) { return std::exp(x); });
    checkSpecial<Float>("log", 1, [](Float x, Float) { return std::log(x); });
    checkSpecial<Float>("tanh", 1, [](Float x, Float) { return std::tanh(x); });
    checkSpecial<Float>("erf", 1, [](Float x, Float) { return std::erf(x); });
    checkSpecial<Float>("sin", 1, [](Float x, Float) { return std::sin(x); });
    checkSpecial<Float>("cos", 1, [](Float x, Float) { return std::cos(x); });
    checkSpecial<Float>("rsqrt", 1,
                        [](Float x, Float) { return 1 / std::sqrt(x); });
    checkSpecial<Float>("pow", 2,
                        [](Float x, Float y) { return std::pow(x, y); });
  }

  void useProcessor(const char *name) {
    auto known = CpuOptions::forCpu(name);
    ASSERT_TRUE(bool(known)) << llvm::toString(known.takeError());
    options = *known;
  }
};

} // namespace

TEST_F(CpuMath, StaysWithinTwoUlps) {
  checkAll<float>();
  checkAll<double>();
}

TEST_F(CpuMath, StaysWithinTwoUlpsWithNarrowerVectors) {
  useProcessor("x86-64-v3");
  checkAll<float>();
  checkAll<double>();
}

TEST_F(CpuMath, TreatsSpecialNumbersAsCDoes) {
  checkAllSpecial<float>();
  checkAllSpecial<double>();
}

TEST_F(CpuMath, TreatsSpecialNumbersAsCDoesWithNarrowerVectors) {
  for (const char *processor : {"x86-64-v3", "x86-64-v2"}) {
    SCOPED_TRACE(processor);
    useProcessor(processor);
    checkAllSpecial<float>();
    checkAllSpecial<double>();
  }
}

/// Large angles in some lanes, small ones in others.
TEST_F(CpuMath, KnowsLargeAngles) {
  compileFunction("sin", "f32", 1);
  ASSERT_TRUE(kernel);
  TestTensor x(DType::FP32, {count}), z(DType::FP32, {count});
  TestTensor y(DType::FP32, {count});
  auto *in = static_cast<float *>(x.view().data);
  auto *out = static_cast<float *>(y.view().data);
  for (int64_t at = 0; at < count; ++at)
    in[at] = at % 3 == 0 ? 1e20f + float(at) * 1e15f : float(at) / 100;
  call({&x, &z, &y});
  compareUlps<float>(in, out, std::sin, 2);
}

TEST_F(CpuMath, RaisesToPowers) {
  for (const char *element : {"f32", "f64"}) {
    SCOPED_TRACE(element);
    bool isDouble = element[1] == '6';
    compileFunction("pow", element, 2);
    ASSERT_TRUE(kernel);
    DType dtype = isDouble ? DType::FP64 : DType::FP32;
    TestTensor x(dtype, {count}), z(dtype, {count}), y(dtype, {count});
    for (int64_t at = 0; at < count; ++at) {
      writeElement(x.at(x.start + at), dtype, std::exp(at % 181 / 10.0 - 9));
      writeElement(z.at(z.start + at), dtype, at % 997 / 50.0 - 10);
    }
    call({&x, &z, &y});
    double most = 0;
    for (int64_t at = 0; at < count; ++at) {
      long double wanted =
          std::pow((long double)readElement(x.at(x.start + at), dtype),
                   (long double)readElement(z.at(z.start + at), dtype));
      long double got = readElement(y.at(y.start + at), dtype);
      double ulp = isDouble ? ulpOf(double(wanted)) : ulpOf(float(wanted));
      if (std::isfinite(float(wanted)))
        most = std::max(most, double(std::abs(got - wanted) / ulp));
    }
    EXPECT_LT(most, 1.5);
  }
}

TEST_F(CpuMath, RoundsRootsOnce) {
  check<float>("sqrt", std::sqrt, 0.5);
  check<float>("recip", [](long double x) { return 1 / x; }, 0.5);
}
