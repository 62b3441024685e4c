// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/variants/GpuElement.h"

#include <algorithm>

using namespace tegula;

namespace {

/// A row of each list of the table.
struct Element {
  DType dtype;
  std::string_view precision;
  GpuOperandType onHopper, inTiles;
};
struct Conversion {
  const char *name;
  DType from;
  GpuOperandType to;
};
struct Precision {
  std::string_view name;
  const char *words;
  double rounding;
};

} // namespace

static constexpr Element elements[] = {
#define ROW(NAME, WORD, DTYPE, PRECISION, HOPPER, TILES)                       \
  {DType::DTYPE, PRECISION, GpuOperandType::HOPPER, GpuOperandType::TILES},
    TEGULA_GPU_ELEMENTS(ROW)
#undef ROW
};

static constexpr Conversion conversions[] = {
#define ROW(NAME, DTYPE, TYPE) {#NAME, DType::DTYPE, GpuOperandType::TYPE},
    TEGULA_GPU_CONVERSIONS(ROW)
#undef ROW
};

static constexpr Precision precisions[] = {
#define ROW(NAME, WORDS, ROUNDING) {NAME, WORDS, ROUNDING},
    TEGULA_GPU_PRECISIONS(ROW)
#undef ROW
};

static const Element &rowOf(GpuElement element) {
  return elements[static_cast<size_t>(element)];
}

static const Precision *findPrecision(std::string_view name) {
  const auto *found = std::find_if(
      std::begin(precisions), std::end(precisions),
      [&](const Precision &precision) { return precision.name == name; });
  return found == std::end(precisions) ? nullptr : found;
}

std::optional<GpuElement> tegula::findElement(DType dtype,
                                              std::string_view precision) {
  for (size_t i = 0; i < std::size(elements); ++i)
    if (elements[i].dtype == dtype && elements[i].precision == precision)
      return static_cast<GpuElement>(i);
  return std::nullopt;
}

int64_t tegula::getElementBytes(GpuElement element) {
  return getSize(rowOf(element).dtype);
}

GpuOperandType tegula::getOperandType(GpuElement element, MatmulCode code) {
  return code == MatmulCode::Hopper ? rowOf(element).onHopper
                                    : rowOf(element).inTiles;
}

bool tegula::isConverted(GpuElement element, MatmulCode code) {
  return rowOf(element).dtype != getDType(getOperandType(element, code));
}

const char *tegula::getCopyName(GpuElement element, MatmulCode code) {
  GpuOperandType type = getOperandType(element, code);
  for (const Conversion &conversion : conversions)
    if (conversion.from == rowOf(element).dtype && conversion.to == type)
      return conversion.name;
  constexpr const char *names[] = {"", "Bytes", "Halves", "", "Words"};
  return names[getBytes(type)];
}

/// Whether the code multiplies something else than it does without a precision.
static bool isRounded(const Element &element, MatmulCode code) {
  std::optional<GpuElement> exact = findElement(element.dtype, "");
  return !element.precision.empty() && exact &&
         getOperandType(*exact, code) !=
             (code == MatmulCode::Hopper ? element.onHopper : element.inTiles);
}

const char *tegula::getRoundingWords(GpuElement element, MatmulCode code) {
  const Element &row = rowOf(element);
  return isRounded(row, code) ? findPrecision(row.precision)->words : nullptr;
}

double tegula::getRounding(std::string_view precision, MatmulCode code) {
  const Precision *found = findPrecision(precision);
  bool isUsed = std::any_of(
      std::begin(elements), std::end(elements), [&](const Element &element) {
        return element.precision == precision && isRounded(element, code);
      });
  return found && isUsed ? found->rounding : 0;
}
