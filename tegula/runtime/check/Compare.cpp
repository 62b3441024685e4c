// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/runtime/Check.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstring>

using namespace tegula;

double tegula::getTolerance(DType dtype) {
  switch (dtype) {
  // One unit in the last place.
  case DType::FP8E4M3FN:
    return 0.126;
  case DType::FP8E5M2:
    return 0.251;
  case DType::FP16:
    return 2e-3;
  case DType::BF16:
    return 1.6e-2;
  case DType::FP32:
    return 1e-5;
  case DType::FP64:
    return 1e-12;
  default:
    return 0;
  }
}

bool CheckReport::agrees() const {
  return llvm::all_of(outputs,
                      [](const Comparison &output) { return output.agrees(); });
}

/// The index of element `number` in row-major order.
static std::string formatIndex(const TensorView &view, int64_t number) {
  llvm::SmallVector<int64_t, 8> index(view.rank);
  for (unsigned axis = view.rank; axis-- > 0;) {
    index[axis] = number % view.sizes[axis];
    number /= view.sizes[axis];
  }
  return formatShape(index);
}

/// The addresses of all elements in row-major order.
static std::vector<char *> listElements(const TensorView &view) {
  std::vector<char *> elements;
  elements.reserve(view.getNumElements());
  forEachElement(view, [&](char *element) { elements.push_back(element); });
  return elements;
}

namespace {

/// Compares the elements of one output.
class ElementComparer {
public:
  ElementComparer(Comparison &result, DType dtype, double scale)
      : result(result), dtype(dtype), scale(scale) {}

  /// True if the elements count as equal.
  bool compare(const char *found, const char *expected) {
    // Equal bits are equal values, and 64-bit integers do not fit a double.
    if (haveEqualBits(found, expected))
      return true;
    double lhs = readElement(found, dtype), rhs = readElement(expected, dtype);
    if (std::isnan(lhs) && std::isnan(rhs))
      return true;
    if (!std::isfinite(lhs) || !std::isfinite(rhs)) {
      result.absoluteError = result.relativeError = INFINITY;
      return lhs == rhs;
    }
    double error = std::abs(lhs - rhs);
    result.absoluteError = std::max(result.absoluteError, error);
    result.relativeError =
        std::max(result.relativeError, scale > 0 ? error / scale : error);
    return isFloat(dtype) && error <= result.tolerance * scale;
  }

private:
  bool haveEqualBits(const char *found, const char *expected) const {
    if (isHalfByte(dtype))
      return readHalfByte(found) == readHalfByte(expected);
    return std::memcmp(found, expected, getSize(dtype)) == 0;
  }

  Comparison &result;
  DType dtype;
  double scale;
};

} // namespace

Comparison tegula::compareTensors(const std::string &name,
                                  const TensorView &found,
                                  const TensorView &expected,
                                  double tolerance) {
  assert(found.dtype == expected.dtype &&
         found.getSizes() == expected.getSizes() && "not the same output");
  std::vector<char *> foundElements = listElements(found);
  std::vector<char *> expectedElements = listElements(expected);
  double scale = 0;
  for (char *element : expectedElements) {
    double magnitude = std::abs(readElement(element, expected.dtype));
    if (std::isfinite(magnitude))
      scale = std::max(scale, magnitude);
  }
  Comparison result;
  result.name = name;
  result.tolerance = std::max(tolerance, getTolerance(found.dtype));
  result.numElements = expectedElements.size();
  ElementComparer comparer(result, found.dtype, scale);
  for (size_t index = 0; index < expectedElements.size(); ++index) {
    if (comparer.compare(foundElements[index], expectedElements[index]))
      continue;
    if (result.numWrong++ == 0)
      result.firstWrong =
          formatIndex(expected, index) + " is " +
          formatNumber(readElement(foundElements[index], found.dtype)) +
          ", expected " +
          formatNumber(readElement(expectedElements[index], found.dtype));
  }
  return result;
}
