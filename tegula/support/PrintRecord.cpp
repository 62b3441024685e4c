// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/support/PrintRecord.h"
#include "tegula/support/DType.h"
#include "tegula/support/HalfBytes.h"
#include "tegula/support/PrintAbi.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace tegula;

/// Digits after which NumPy stops too.
static constexpr int mostDigits = 8;
/// Columns after which a row of an array goes on in the next line.
static constexpr size_t lineLength = 75;

/// With as few digits as tell the number apart from its neighbours.
static std::string formatReal(double value, DType dtype) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  int most = dtype == DType::FP64 ? 2 * mostDigits + 1 : mostDigits;
  char text[40];
  for (int digits = 1; digits <= most; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (toFloatBits(std::strtod(text, nullptr), dtype) ==
        toFloatBits(value, dtype))
      break;
  }
  // %g has exponents sooner than a reader wants them.
  double size = std::abs(value);
  if (std::strchr(text, 'e') && size >= 1e-4 && size < 1e16)
    std::snprintf(text, sizeof text, "%.0f", value);
  return text;
}

static std::string formatInteger(const char *element, DType dtype) {
  uint64_t bits = 0;
  if (isHalfByte(dtype))
    bits = readHalfByte(element);
  else
    std::memcpy(&bits, element, getSize(dtype));
  if (isUnsigned(dtype))
    return std::to_string(bits);
  unsigned unused = 64 - getBits(dtype);
  return std::to_string(static_cast<int64_t>(bits << unused) >> unused);
}

/// One element; a whole float ends with its point, as in an array.
static std::string formatElement(const char *element, DType dtype) {
  if (dtype == DType::Bool)
    return *element ? "True" : "False";
  if (!isFloat(dtype))
    return formatInteger(element, dtype);
  std::string text = formatReal(readElement(element, dtype), dtype);
  return text.find_first_of(".naie") == std::string::npos ? text + "." : text;
}

namespace {

/// An array while its text is made.
class ArrayText {
public:
  ArrayText(const int64_t *value, DType dtype, bool hasShownOnly)
      : dtype(dtype), hasShownOnly(hasShownOnly), rank(value[1]),
        data(reinterpret_cast<const char *>(value[2])), sizes(value + 3),
        strides(value + 3 + rank) {
    int64_t count = 1;
    for (int64_t axis = 0; axis < rank; ++axis)
      count *= sizes[axis];
    isEmpty = count == 0;
    isShort = count <= mostPrintedElements;
  }

  std::string write() {
    if (isEmpty)
      return "[]";
    collect(0, data);
    align();
    return writeAxis(0);
  }

private:
  bool isCut(int64_t axis) const {
    return !isShort && sizes[axis] > 2 * printedEdge;
  }
  int64_t countShown(int64_t axis) const {
    return isCut(axis) ? 2 * printedEdge : sizes[axis];
  }

  void collect(int64_t axis, const char *address) {
    if (axis == rank) {
      texts.push_back(formatElement(address, dtype));
      return;
    }
    int64_t step = strides[axis] * static_cast<int64_t>(getSize(dtype));
    for (int64_t i = 0; i < countShown(axis); ++i) {
      bool isBehind = isCut(axis) && i >= printedEdge && !hasShownOnly;
      int64_t at = isBehind ? sizes[axis] - 2 * printedEdge + i : i;
      collect(axis + 1, address + at * step);
    }
  }

  /// Points stand below each other, and numbers end below each other.
  void align() {
    auto fraction = [](const std::string &text) {
      size_t point = text.find('.');
      return point == std::string::npos ? 0 : text.size() - point;
    };
    bool hasPoints =
        isFloat(dtype) &&
        std::none_of(texts.begin(), texts.end(), [](const std::string &text) {
          return text.find('e') != std::string::npos;
        });
    size_t longest = 0, width = 0;
    for (const std::string &text : texts)
      longest = std::max(longest, hasPoints ? fraction(text) : 0);
    for (std::string &text : texts) {
      if (size_t own = fraction(text); hasPoints && own != 0)
        text.append(longest - own, ' ');
      width = std::max(width, text.size());
    }
    for (std::string &text : texts)
      text.insert(0, width - text.size(), ' ');
  }

  std::string writeAxis(int64_t axis) {
    if (axis == rank)
      return texts[next++];
    if (axis + 1 == rank)
      return writeRow();
    std::string between =
        std::string(rank - axis - 1, '\n') + std::string(axis + 1, ' ');
    std::string text = "[";
    for (int64_t i = 0; i < countShown(axis); ++i) {
      if (i > 0)
        text += between;
      if (isCut(axis) && i == printedEdge)
        text += "..." + between;
      text += writeAxis(axis + 1);
    }
    return text + "]";
  }

  /// The last axis, which goes on in the next line where one is full.
  std::string writeRow() {
    std::string indent(rank, ' '), text = "[";
    size_t length = indent.size(), most = lineLength - indent.size();
    auto add = [&](const std::string &word) {
      bool isFirst = length == indent.size();
      if (!isFirst && length + word.size() > most) {
        text += "\n" + indent;
        length = indent.size();
      } else if (!isFirst) {
        text += " ";
      }
      text += word;
      length += word.size() + 1;
    };
    for (int64_t i = 0; i < countShown(rank - 1); ++i) {
      if (isCut(rank - 1) && i == printedEdge)
        add("...");
      add(texts[next++]);
    }
    return text + "]";
  }

  DType dtype;
  bool hasShownOnly;
  int64_t rank;
  const char *data;
  const int64_t *sizes, *strides;
  bool isEmpty, isShort;
  std::vector<std::string> texts;
  size_t next = 0;
};

} // namespace

/// The text of a value; `value` goes on to the next.
static std::string formatValue(const int64_t *&value) {
  auto dtype = static_cast<DType>(value[0] & ~int64_t(TegulaPrintShownOnly));
  if (value[1] < 0) {
    auto *bits = reinterpret_cast<const char *>(value + 2);
    value += 3;
    // Half bytes have a byte of their own here.
    if (isHalfByte(dtype))
      dtype = dtype == DType::Int4 ? DType::Int8 : DType::UInt8;
    std::string text = formatElement(bits, dtype);
    return text.back() == '.' ? text + "0" : text;
  }
  bool hasShownOnly = value[0] & TegulaPrintShownOnly;
  std::string text = ArrayText(value, dtype, hasShownOnly).write();
  value += 3 + 2 * value[1];
  return text;
}

std::string tegula::formatRecord(const int64_t *record) {
  auto length = static_cast<size_t>(record[0]);
  auto *text = reinterpret_cast<const char *>(record + 2);
  const int64_t *value = record + 2 + (length + 7) / 8;
  std::string line;
  for (size_t i = 0; i < length; ++i) {
    bool isPair = i + 1 < length && (text[i] == '{' || text[i] == '}');
    if (isPair && text[i] == '{' && text[i + 1] == '}')
      line += formatValue(value);
    else
      line += text[i];
    // Braces that are meant as such are doubled.
    i += isPair;
  }
  return line;
}
