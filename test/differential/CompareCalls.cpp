// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/CompareCalls.h"

#include "tegula/runtime/Check.h"
#include "test/differential/SpecialElements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace tegula;
using namespace tegula::differential;

/// Small numbers are compared with the size of what they were computed from,
/// which may have been FP32.
static bool agrees(const Comparison &comparison, DType dtype) {
  if (comparison.agrees())
    return true;
  double allowed = dtype == DType::FP64   ? 1e-5
                   : dtype == DType::FP32 ? 1e-4
                   : dtype == DType::FP16 ? 3e-2
                   : dtype == DType::BF16 ? 2e-1
                   : isFloat(dtype)       ? 2
                                          : -1;
  return comparison.absoluteError <= allowed;
}

/// Whether the language says which sign zeros have: it does not of 0.0 and -0.0
/// for the largest and the smallest along an axis, where NaN is left out, and
/// where a matmul is added to something.
static bool hasDefinedZeros(llvm::StringRef text) {
  return llvm::none_of(
      llvm::ArrayRef({"row_max", "row_min", "col_max", "col_min", "cummax",
                      "cummin", "pl.max(", "pl.min(", "segment_max",
                      "segment_min", "nanmax", "nanmin", "fmax", "fmin",
                      "matmul", "einsum"}),
      [&](const char *word) { return text.contains(word); });
}

/// How many zeros have another sign.
static int64_t countOtherZeros(const TensorView &found,
                               const TensorView &expected) {
  std::vector<double> numbers;
  forEachElement(expected, [&](char *element) {
    numbers.push_back(readElement(element, expected.dtype));
  });
  int64_t count = 0;
  size_t next = 0;
  forEachElement(found, [&](char *element) {
    double number = readElement(element, found.dtype), wanted = numbers[next++];
    count += number == 0 && wanted == 0 &&
             std::signbit(number) != std::signbit(wanted);
  });
  return count;
}

static Outcome compareZeros(const Signature &signature, const Call &found,
                            const Call &expected, const Sizes &sizes) {
  for (auto [index, parameter] : llvm::enumerate(signature.parameters)) {
    if (!parameter.isTensor() || !isFloat(*parameter.dtype))
      continue;
    if (int64_t count = countOtherZeros(found.arguments[index].getTensor(),
                                        expected.arguments[index].getTensor()))
      return {Verdict::Differs,
              parameter.name + ": " + std::to_string(count) +
                  " zeros have another sign",
              sizes};
  }
  return {};
}

/// Functions that may be off by a few units in the last place, and others whose
/// error is one of what they are computed from.
static constexpr const char *rounded[] = {
    "exp",  "log",      "rsqrt", "sin(", "cos(",    "tan",  "erf", "sig",
    "silu", "softplus", "gelu",  "pow(", "softmax", "norm", "mean"};
static constexpr const char *rounding[] = {"softmax", "norm", "mean"};

static bool hasAny(llvm::StringRef text, llvm::ArrayRef<const char *> words) {
  return llvm::any_of(words,
                      [&](const char *word) { return text.contains(word); });
}

/// Whether a number is what it should be, by itself: next to the largest of a
/// type all others would be small.
static bool isClose(double found, double wanted, DType dtype,
                    llvm::StringRef text) {
  if (found == wanted || (std::isnan(found) && std::isnan(wanted)))
    return true;
  if (!std::isfinite(found) || !std::isfinite(wanted) || !hasAny(text, rounded))
    return false;
  double scale = std::max(std::abs(wanted), hasAny(text, rounding) ? 1.0 : 0.0);
  return std::abs(found - wanted) <=
         getTolerance(dtype) * scale + 2 * getSmallest(dtype);
}

/// What one tensor has that it should not, if anything.
static std::string findOther(const TensorView &found,
                             const TensorView &expected, llvm::StringRef text) {
  std::vector<double> numbers;
  forEachElement(found, [&](char *element) {
    numbers.push_back(readElement(element, found.dtype));
  });
  size_t next = 0;
  std::string other;
  forEachElement(expected, [&](char *element) {
    double wanted = readElement(element, expected.dtype);
    double number = numbers[next++];
    if (other.empty() && !isClose(number, wanted, found.dtype, text))
      other = llvm::formatv("element {0} is {1:e}, expected {2:e}", next - 1,
                            number, wanted);
  });
  return other;
}

/// Elements at the limits of their types, one by one.
static Outcome compareSpecial(const Signature &signature, const Call &found,
                              const Call &expected, const Sizes &sizes,
                              llvm::StringRef text) {
  for (auto [index, parameter] : llvm::enumerate(signature.parameters)) {
    if (!parameter.isTensor() || !isFloat(*parameter.dtype))
      continue;
    std::string other = findOther(found.arguments[index].getTensor(),
                                  expected.arguments[index].getTensor(), text);
    if (!other.empty())
      return {Verdict::Differs, parameter.name + ": " + other, sizes};
  }
  return {};
}

Outcome differential::compare(const Signature &signature, const Call &found,
                              const Call &expected, const Sizes &sizes) {
  for (auto [index, parameter] : llvm::enumerate(signature.parameters)) {
    if (!parameter.isTensor())
      continue;
    Comparison comparison =
        compareTensors(parameter.name, found.arguments[index].getTensor(),
                       expected.arguments[index].getTensor());
    if (!agrees(comparison, *parameter.dtype))
      return {Verdict::Differs,
              parameter.name + comparison.firstWrong + ", " +
                  std::to_string(comparison.numWrong) + " of " +
                  std::to_string(comparison.numElements) + " differ",
              sizes};
  }
  return {};
}

Outcome differential::compareAll(const Signature &signature, const Call &found,
                                 const Call &expected, const Sizes &sizes,
                                 llvm::StringRef text) {
  Outcome outcome = compare(signature, found, expected, sizes);
  if (outcome.verdict == Verdict::Agrees && hasSpecialElements())
    outcome = compareSpecial(signature, found, expected, sizes, text);
  if (outcome.verdict == Verdict::Agrees && hasDefinedZeros(text))
    outcome = compareZeros(signature, found, expected, sizes);
  return outcome;
}
