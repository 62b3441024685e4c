// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/launch/call/Signature.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;

bool Signature::isOpen() const {
  return llvm::any_of(parameters, [](const Parameter &parameter) {
    return parameter.isOpen();
  });
}

std::vector<std::string> Signature::getSymbols() const {
  std::vector<std::string> symbols;
  auto add = [&](const std::string &symbol) {
    if (!llvm::is_contained(symbols, symbol))
      symbols.push_back(symbol);
  };
  for (const Parameter &parameter : parameters) {
    if (!parameter.axes)
      continue;
    for (const Axis &axis : *parameter.axes) {
      if (axis.expression)
        llvm::for_each(axis.expression->names, add);
      else if (!axis.extent)
        add(axis.symbol);
    }
  }
  return symbols;
}

std::string tegula::formatAxes(const std::vector<Axis> &axes) {
  auto texts = llvm::map_range(axes, [](const Axis &axis) {
    return axis.extent ? llvm::itostr(*axis.extent) : axis.symbol;
  });
  return "[" + llvm::join(texts, ", ") + "]";
}

static std::string formatParameter(const Parameter &parameter) {
  std::string dtype = parameter.dtype ? getName(*parameter.dtype).str() : "?";
  std::string text = "Scalar[" + dtype + "]";
  if (parameter.kind == Parameter::Kind::Open)
    text = "?";
  if (parameter.isTensor())
    text = parameter.axes
               ? "Tensor[" + formatAxes(*parameter.axes) + ", " + dtype + "]"
               : "Tensor";
  if (parameter.direction == Direction::Out)
    text = "Out[" + text + "]";
  if (parameter.direction == Direction::InOut)
    text = "InOut[" + text + "]";
  return parameter.name + ": " + text;
}

std::string Signature::format() const {
  auto texts = llvm::map_range(parameters, formatParameter);
  return kernel + "(" + llvm::join(texts, ", ") + ")";
}
