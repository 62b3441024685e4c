// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures how exact mathematical functions of compiled kernels are: FP32 over
// all numbers there are, FP64 and powers over samples. Prints a table.

#include "tegula/runtime/Compiler.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace tegula;

/// Numbers per call.
static constexpr int64_t count = 1 << 16;

static void stopOn(Error error) {
  if (!error)
    return;
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
  std::exit(1);
}

/// What a function gives in more digits than FP32 has, for many at once.
using Exact = void (*)(const double *x, const double *y, double *result);

/// Good to 40 digits in base 2, and quick.
static double tanhOf(double x) {
  double e = std::exp(2 * x);
  double large = x > 20 ? 1 : x < -20 ? -1 : (e - 1) / (e + 1);
  return std::fabs(x) < 0x1p-12 ? x - x * x * x / 3 : large;
}
static double erfOf(double x) {
  if (std::fabs(x) < 0x1p-14)
    return 0x1.20dd750429b6dp0 * (x - x * x * x / 3);
  return std::fabs(x) > 6 ? std::copysign(1.0, x) : std::erf(x);
}

#define EXACT(name, formula)                                                   \
  static void name(const double *__restrict x, const double *__restrict y,     \
                   double *__restrict result) {                                \
    for (int64_t at = 0; at < count; ++at)                                     \
      result[at] = formula;                                                    \
  }
EXACT(exactExp, std::exp(x[at]))
EXACT(exactLog, std::log(x[at]))
EXACT(exactTanh, tanhOf(x[at]))
EXACT(exactErf, erfOf(x[at]))
EXACT(exactSin, std::sin(x[at]))
EXACT(exactCos, std::cos(x[at]))
EXACT(exactRsqrt, 1 / std::sqrt(x[at]))
EXACT(exactPow, std::pow(x[at], y[at]))
#undef EXACT

namespace {

struct Function {
  const char *name;
  const char *source;
  Exact exact;
  long double (*precise)(long double, long double);
  bool isOfTwo = false;
};

/// The largest error of a function, and where it is.
struct Worst {
  double ulps = 0;
  double x = 0;
  double y = 0;
  int64_t wrong = 0;

  void note(double error, double atX, double atY) {
    if (error <= ulps)
      return;
    ulps = error;
    x = atX;
    y = atY;
  }
};

} // namespace

static const Function functions[] = {
    {"exp", "pl.exp(x)", exactExp,
     [](long double x, long double) { return std::exp(x); }},
    {"log", "pl.log(x)", exactLog,
     [](long double x, long double) { return std::log(x); }},
    {"tanh", "pl.tanh(x)", exactTanh,
     [](long double x, long double) { return std::tanh(x); }},
    {"erf", "pl.erf(x)", exactErf,
     [](long double x, long double) { return std::erf(x); }},
    {"sin", "pl.sin(x)", exactSin,
     [](long double x, long double) { return std::sin(x); }},
    {"cos", "pl.cos(x)", exactCos,
     [](long double x, long double) { return std::cos(x); }},
    {"rsqrt", "pl.rsqrt(x)", exactRsqrt,
     [](long double x, long double) { return 1 / std::sqrt(x); }},
    {"pow", "pl.pow(x, z)", exactPow,
     [](long double x, long double y) { return std::pow(x, y); }, true}};

/// The distance in units of the last place of `wanted`; negative if one of them
/// is no number and the other is another one.
template <typename Float>
static double distance(Float got, long double wanted) {
  auto rounded = static_cast<Float>(wanted);
  if (std::isnan(rounded) || std::isnan(got))
    return std::isnan(rounded) && std::isnan(got) ? 0 : -1;
  if (got == rounded)
    return rounded == 0 && std::signbit(got) != std::signbit(rounded) ? -1 : 0;
  if (std::isinf(got))
    got = std::copysign(std::numeric_limits<Float>::max(), got);
  if (std::isinf(rounded))
    return std::isinf(got) ? -1 : 1;
  constexpr int digits = std::numeric_limits<Float>::digits;
  int exponent = 0;
  std::frexp(wanted, &exponent);
  exponent = std::max(exponent, std::numeric_limits<Float>::min_exponent);
  return double(std::fabs(got - wanted) / std::ldexp(1.0L, exponent - digits));
}

template <typename Float>
static Kernel load(const Function &function, const std::string &target) {
  std::string tensor = sizeof(Float) == 4 ? "pl.Tensor[[N], pl.FP32]"
                                          : "pl.Tensor[[N], pl.FP64]";
  KernelSource source;
  source.path = "math.py";
  source.text = "import tegula.language as pl\nN = pl.dynamic(\"N\")\n@pl.jit\n"
                "def f(x: " +
                tensor + (function.isOfTwo ? ", z: " + tensor : "") +
                ", y: pl.Out[" + tensor + "]):\n    y[:] = " + function.source +
                "\n";
  source.target = target;
  Expected<Kernel> kernel = loadKernel(source);
  if (!kernel)
    stopOn(kernel.takeError());
  return std::move(*kernel);
}

namespace {

/// One function on one processor.
template <typename Float> class Measurement {
public:
  Measurement(const Function &function, const std::string &target)
      : function(function), kernel(load<Float>(function, target)) {}

  /// Every `step`-th number of FP32.
  Worst measureAll(uint64_t step) {
    for (uint64_t start = 0; start < uint64_t(1) << 32; start += count * step) {
      for (int64_t at = 0; at < count; ++at) {
        auto bits = uint32_t(start + at * step);
        std::memcpy(&x[at], &bits, sizeof bits);
      }
      measureNumbers();
    }
    return worst;
  }

  /// Random bits, and numbers around 1.
  Worst measureSamples(int64_t rounds) {
    std::mt19937_64 random(1);
    for (int64_t round = 0; round < rounds; ++round) {
      for (int64_t at = 0; at < count; ++at) {
        x[at] = draw(random, round);
        y[at] = draw(random, round);
      }
      measureNumbers();
    }
    return worst;
  }

private:
  static Float draw(std::mt19937_64 &random, int64_t round) {
    uint64_t bits = random();
    Float number;
    std::memcpy(&number, &bits, sizeof number);
    if (round % 2 == 0)
      return number;
    auto fraction = Float(bits >> 11) / Float(uint64_t(1) << 53);
    return (fraction - Float(0.5)) * Float(round % 4 == 1 ? 40 : 4);
  }

  void measureNumbers() {
    TensorView in(x.data(), {count}), second(y.data(), {count});
    TensorView out(result.data(), {count});
    stopOn(function.isOfTwo ? kernel({in, second, out}) : kernel({in, out}));
    if (sizeof(Float) == 4) {
      for (int64_t at = 0; at < count; ++at) {
        wideX[at] = x[at];
        wideY[at] = y[at];
      }
      function.exact(wideX.data(), wideY.data(), exact.data());
    }
    if (sizeof(Float) == 4 && areNoWorse())
      return;
    for (int64_t at = 0; at < count; ++at) {
      double error =
          distance<Float>(result[at], function.precise(x[at], y[at]));
      if (error < 0)
        ++worst.wrong;
      worst.note(error, x[at], y[at]);
    }
  }

  /// True if all results are known to be as good as what was seen before;
  /// quick, for FP32.
  bool areNoWorse() const {
    const Float *results = result.data();
    const double *exacts = exact.data();
    double most = worst.ulps;
    int64_t numWorse = 0;
    for (int64_t at = 0; at < count; ++at) {
      double got = results[at], wanted = exacts[at];
      int64_t gotBits, bits, least = int64_t(1023 - 126) << 52;
      std::memcpy(&gotBits, &got, sizeof gotBits);
      std::memcpy(&bits, &wanted, sizeof bits);
      bool hasSameSign = (gotBits ^ bits) >= 0;
      bits &= int64_t(0x7ff) << 52;
      bits = (bits > least ? bits : least) - (int64_t(23) << 52);
      double ulp;
      std::memcpy(&ulp, &bits, sizeof ulp);
      bool isNear = std::fabs(got - wanted) <= most * ulp;
      bool isTooLarge =
          (std::fabs(got) == INFINITY) & (std::fabs(wanted) > 0x1.ffffffp127);
      bool isNan = (got != got) & (wanted != wanted);
      numWorse += !(((isNear | isTooLarge) & hasSameSign) | isNan);
    }
    return numWorse == 0;
  }

  const Function &function;
  Kernel kernel;
  Worst worst;
  std::vector<Float> x = std::vector<Float>(count);
  std::vector<Float> y = std::vector<Float>(count);
  std::vector<Float> result = std::vector<Float>(count);
  std::vector<double> wideX = std::vector<double>(count);
  std::vector<double> wideY = std::vector<double>(count);
  std::vector<double> exact = std::vector<double>(count);
};

} // namespace

static void print(const Function &function, const char *type,
                  const Worst &worst) {
  llvm::outs() << llvm::formatv("| {0} | {1} | {2:f2} | {3:e}", function.name,
                                type, worst.ulps, worst.x);
  if (function.isOfTwo)
    llvm::outs() << llvm::formatv(", {0:e}", worst.y);
  llvm::outs() << llvm::formatv(" | {0} |\n", worst.wrong);
  llvm::outs().flush();
}

int main(int argc, char **argv) {
  uint64_t step = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  if (step == 0) {
    llvm::errs() << "usage: tegula-math-errors TARGET STEP [FUNCTION...]\n"
                    "Takes every STEP-th FP32 number: 1 for all of them.\n";
    return 1;
  }
  llvm::outs() << "| function | type | largest error, ulp | at | wrong |\n"
                  "|---|---|---|---|---|\n";
  for (const Function &function : functions) {
    bool isWanted = argc == 3;
    for (int at = 3; at < argc; ++at)
      isWanted |= std::strcmp(argv[at], function.name) == 0;
    if (!isWanted)
      continue;
    Measurement<float> single(function, argv[1]);
    print(function, "FP32",
          function.isOfTwo ? single.measureSamples(100)
                           : single.measureAll(step));
    Measurement<double> whole(function, argv[1]);
    print(function, "FP64", whole.measureSamples(20));
  }
  return 0;
}
