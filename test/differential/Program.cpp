// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>

using namespace tegula;
using namespace tegula::differential;

std::string Expr::print() const {
  std::string result;
  size_t next = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 2, "{}") != 0) {
      result += text[at];
      continue;
    }
    result += operands[next++].print();
    ++at;
  }
  return result;
}

std::string Program::nameOf(char axis) const {
  auto known = fixed.find(axis);
  if (known != fixed.end())
    return std::to_string(known->second);
  if (auto found = computed.find(axis); found != computed.end())
    return nameOfComputed(found->second);
  switch (axis) {
  case 'R':
    return "M";
  case 'C':
    return "N";
  case 'P':
    return "NR";
  default:
    return std::string(1, axis);
  }
}

/// A number where the axis has one.
std::string Program::nameOfComputed(const ComputedExtent &extent) const {
  if (auto known = fixed.find(extent.axis); known != fixed.end())
    return std::to_string(extent.of(known->second));
  std::string name = nameOf(extent.axis);
  if (extent.times != 1)
    name = std::to_string(extent.times) + " * " + name;
  if (extent.plus != 0)
    name += (extent.plus < 0 ? " - " : " + ") +
            std::to_string(std::abs(extent.plus));
  return extent.over == 1 ? name : name + " // " + std::to_string(extent.over);
}

static void print(const std::vector<Statement> &body, unsigned depth,
                  std::string &text) {
  for (const Statement &statement : body) {
    text += std::string(4 * depth, ' ') + statement.line.print() + "\n";
    if (statement.line.text.back() != ':')
      continue;
    print(statement.body, depth + 1, text);
    if (statement.body.empty())
      text += std::string(4 * depth + 4, ' ') + "pass\n";
  }
}

std::string Program::print() const {
  std::string text = "import tegula.language as pl\n";
  if (isOverRanks)
    text += "import tegula.language.distributed as pld\n\n"
            "NR = pl.dynamic(\"NR\")\nN = pl.dynamic(\"N\")\n\n\n";
  else
    text += "\nM = pl.dynamic(\"M\")\nN = pl.dynamic(\"N\")\n"
            "K = pl.dynamic(\"K\")\n\n\n";
  text += helpers + (isOverRanks ? "@pl.jit.host" : "@pl.jit") + "\ndef k(\n";
  for (const Parameter &parameter : parameters) {
    std::string dtype = "pl." + getName(parameter.kind.dtype).str();
    std::string type = "pl.Scalar[" + dtype + "]";
    if (!parameter.isScalar()) {
      std::vector<std::string> axes;
      for (char axis : parameter.kind.axes)
        axes.push_back(nameOf(axis));
      type = "pl.Tensor[[" + llvm::join(axes, ", ") + "], " + dtype + "]";
    }
    if (parameter.isWritten)
      type = "pl.InOut[" + type + "]";
    text += "    " + parameter.name + ": " + type + ",\n";
  }
  text += "):\n";
  return text + printBody(1);
}

std::string Program::printBody(unsigned depth) const {
  std::string text;
  ::print(body, depth, text);
  return body.empty() ? std::string(4 * depth, ' ') + "pass\n" : text;
}
