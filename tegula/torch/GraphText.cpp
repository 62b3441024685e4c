// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How types, shapes and numbers of a graph are written.

#include "tegula/torch/KernelWriter.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace tegula;
using namespace tegula::torch;
using llvm::StringRef;

StringRef tegula::torch::nameDType(StringRef dtype) {
  return llvm::StringSwitch<StringRef>(dtype)
      .Case("float64", "pl.FP64")
      .Case("float32", "pl.FP32")
      .Case("float16", "pl.FP16")
      .Case("bfloat16", "pl.BF16")
      .Case("int64", "pl.INT64")
      .Case("int32", "pl.INT32")
      .Case("int16", "pl.INT16")
      .Case("int8", "pl.INT8")
      .Case("uint8", "pl.UINT8")
      .Case("bool", "pl.BOOL")
      .Default("");
}

bool tegula::torch::isFloating(StringRef dtype) {
  return dtype.contains("float");
}

bool tegula::torch::isNarrowFloat(StringRef dtype) {
  return dtype == "float16" || dtype == "bfloat16";
}

StringRef tegula::torch::widen(StringRef dtype) {
  return isNarrowFloat(dtype) ? "float32" : dtype;
}

/// Kinds are bool, integer and float; within one the wider type wins, and two
/// different narrow floats meet in float32.
std::string tegula::torch::promote(StringRef lhs, StringRef rhs) {
  if (lhs == rhs)
    return lhs.str();
  auto rank = [](StringRef dtype) {
    return llvm::StringSwitch<int>(dtype)
        .Case("bool", 0)
        .Cases({"uint8", "int8"}, 1)
        .Case("int16", 2)
        .Case("int32", 3)
        .Case("int64", 4)
        .Cases({"float16", "bfloat16"}, 5)
        .Case("float32", 6)
        .Default(7);
  };
  if (rank(lhs) == rank(rhs))
    return isFloating(lhs) ? "float32" : "int16";
  return (rank(lhs) > rank(rhs) ? lhs : rhs).str();
}

std::string tegula::torch::formatShape(const std::vector<std::string> &shape) {
  return "[" + llvm::join(shape, ", ") + "]";
}

std::string
tegula::torch::formatProduct(const std::vector<std::string> &shape) {
  std::string text;
  for (const std::string &extent : shape) {
    if (extent == "1")
      continue;
    bool isSimple = llvm::all_of(
        extent, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    text +=
        (text.empty() ? "" : " * ") + (isSimple ? extent : "(" + extent + ")");
  }
  return text.empty() ? "1" : text;
}

std::string tegula::torch::castTo(const std::string &expression, StringRef from,
                                  StringRef to) {
  if (from == to)
    return expression;
  // To bool is a question; a fraction is cut off, or rounded to even. Large
  // integers are rounded, too, and twice on their way to a narrow float.
  if (to == "bool")
    return llvm::formatv("({0} != 0)", expression);
  if (!isFloating(from) && isNarrowFloat(to))
    return castTo(castTo(expression, from, "float32"), "float32", to);
  // Floats that small integers cannot be lose their high bits, as in torch.
  if (isFloating(from) && (to == "uint8" || to == "int8" || to == "int16"))
    return castTo(castTo(expression, from, "int32"), "int32", to);
  bool isLarge = from == "int64" || from == "int32";
  bool narrows = isFloating(from) && from != "float16" && from != "bfloat16" &&
                 to != "float64";
  StringRef mode = isLarge && isFloating(to)      ? ", mode=\"rint\""
                   : !isFloating(from)            ? ""
                   : !isFloating(to)              ? ", mode=\"trunc\""
                   : narrows || isNarrowFloat(to) ? ", mode=\"rint\""
                                                  : "";
  return llvm::formatv("pl.cast({0}, {1}{2})", expression, nameDType(to), mode);
}

std::string tegula::torch::reshapeTo(const std::string &expression,
                                     const std::vector<std::string> &shape) {
  return llvm::formatv("pl.reshape({0}, {1})", expression, formatShape(shape));
}

std::string tegula::torch::formatNumber(const Argument &argument,
                                        StringRef dtype) {
  if (argument.kind == Argument::Kind::Size)
    return llvm::formatv("pl.cast({0}, {1})", argument.text, nameDType(dtype));
  double value = argument.real;
  if (dtype == "bool")
    return value != 0 ? "True" : "False";
  if (!isFloating(dtype))
    return std::to_string(argument.kind == Argument::Kind::Float
                              ? static_cast<int64_t>(value)
                              : argument.integer);
  if (std::isnan(value))
    return "float(\"nan\")";
  if (dtype == "float32")
    value = static_cast<float>(value);
  if (std::isinf(value))
    return value > 0 ? "float(\"inf\")" : "float(\"-inf\")";
  std::string text = llvm::formatv("{0}", llvm::format("%.17g", value));
  bool isFloat = StringRef(text).find_first_of(".en") != StringRef::npos;
  text = isFloat ? text : text + ".0";
  return value < 0 ? "(" + text + ")" : text;
}

double tegula::torch::roundNumber(double number, StringRef dtype) {
  if (!isNarrowFloat(dtype))
    return number;
  // As torch does, by way of float32.
  llvm::APFloat value(static_cast<float>(number));
  bool losesInfo;
  value.convert(dtype == "float16" ? llvm::APFloat::IEEEhalf()
                                   : llvm::APFloat::BFloat(),
                llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

bool tegula::torch::fits(const Argument &number, StringRef dtype) {
  if (number.kind != Argument::Kind::Integer || isFloating(dtype) ||
      dtype == "bool" || dtype == "int64")
    return true;
  unsigned bits = dtype.contains("8") ? 8 : dtype == "int16" ? 16 : 32;
  int64_t low = dtype == "uint8" ? 0 : -(int64_t(1) << (bits - 1));
  return number.integer >= low && number.integer < low + (int64_t(1) << bits);
}

bool tegula::torch::isNumeral(StringRef extent) {
  return llvm::all_of(extent, llvm::isDigit);
}

std::string tegula::torch::asThree(const std::string &text,
                                   llvm::ArrayRef<std::string> shape,
                                   unsigned begin, unsigned end) {
  return reshapeTo(text, {formatProduct(shape.take_front(begin).vec()),
                          formatProduct(shape.slice(begin, end - begin).vec()),
                          formatProduct(shape.drop_front(end).vec())});
}

unsigned tegula::torch::readAxis(int64_t axis, unsigned rank) {
  return static_cast<unsigned>(axis < 0 ? axis + rank : axis);
}

std::vector<unsigned> KernelWriter::readAxes(const Argument &argument,
                                             unsigned rank) {
  std::vector<unsigned> axes;
  if (argument.isScalar())
    axes.push_back(readAxis(readInteger(argument, 0), rank));
  for (const Argument &element : argument.elements)
    axes.push_back(readAxis(readInteger(element, 0), rank));
  return axes;
}

int64_t KernelWriter::readInteger(const Argument &argument, int64_t otherwise) {
  bool isKnown = argument.kind == Argument::Kind::Integer ||
                 argument.kind == Argument::Kind::Bool;
  isOpen |= !isKnown && !argument.isNone();
  return isKnown ? argument.integer : otherwise;
}

std::string KernelWriter::readSize(const Argument &argument) {
  StringRef text = argument.text;
  isOpen |= text.contains('-');
  for (const std::string &number : graph.numbers)
    isOpen |= text.contains(number);
  return argument.text;
}

double KernelWriter::readFloat(const Argument &argument, double otherwise) {
  bool isKnown = argument.isScalar() && argument.kind != Argument::Kind::Size;
  isOpen |= !isKnown && !argument.isNone();
  return isKnown ? argument.real : otherwise;
}

bool KernelWriter::readBool(const Argument &argument, bool otherwise) {
  return readInteger(argument, otherwise ? 1 : 0) != 0;
}
