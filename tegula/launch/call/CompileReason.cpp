// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/call/CompileReason.h"

#include <cstdio>
#include <cstring>
#include <optional>

using namespace tegula;

/// The number that a variant was made for, as the call would write it.
static std::string formatConstant(const Parameter &parameter) {
  if (parameter.dtype && isFloat(*parameter.dtype)) {
    double value;
    std::memcpy(&value, &*parameter.constant, sizeof value);
    char text[40];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
  }
  return std::to_string(static_cast<int64_t>(*parameter.constant));
}

static std::string formatNumber(const Argument &argument) {
  if (!argument.isFloat())
    return std::to_string(static_cast<int64_t>(argument.getIntegerBits()));
  char text[40];
  std::snprintf(text, sizeof text, "%g", argument.getFloat());
  return text;
}

/// How a tensor differs from what a variant was made for; empty if it does not.
static std::string explainTensor(const Parameter &made, const TensorView &view,
                                 const std::string &name) {
  if (made.dtype && *made.dtype != view.dtype)
    return name + " holds " + getName(view.dtype).str() + ", not " +
           getName(*made.dtype).str();
  if (!made.axes)
    return "";
  if (made.axes->size() != view.rank)
    return name + " has " + std::to_string(view.rank) + " axes, not " +
           std::to_string(made.axes->size());
  for (size_t axis = 0; axis < made.axes->size(); ++axis) {
    const Axis &entry = (*made.axes)[axis];
    bool differs = entry.extent ? *entry.extent != view.sizes[axis]
                                : entry.excludesOne && view.sizes[axis] == 1;
    if (differs)
      return name + " has the extent " + std::to_string(view.sizes[axis]) +
             " along axis " + std::to_string(axis) +
             (entry.extent ? ", not " + std::to_string(*entry.extent)
                           : ", which broadcasts");
  }
  return "";
}

static std::string explainArgument(const Parameter &made,
                                   const Argument &argument) {
  std::string name = "'" + made.name + "'";
  if (made.isTensor() != argument.isTensor())
    return name + " is a " + (argument.isTensor() ? "tensor" : "number") +
           ", not a " + (made.isTensor() ? "tensor" : "number");
  if (argument.isTensor())
    return explainTensor(made, argument.getTensor(), name);
  if (!made.constant || formatConstant(made) == formatNumber(argument))
    return "";
  std::string why = made.reason.empty() ? "" : " (" + made.reason + ")";
  return name + " is " + formatNumber(argument) + ", not " +
         formatConstant(made) + why;
}

static std::string join(const std::vector<std::string> &reasons) {
  std::string text;
  for (const std::string &reason : reasons)
    text += (text.empty() ? "" : "; ") + reason;
  return text;
}

/// What a call has that a variant was not made for.
static std::vector<std::string>
listDifferences(const Signature &made, llvm::ArrayRef<Argument> arguments) {
  std::vector<std::string> reasons;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string reason = explainArgument(made.parameters[i], arguments[i]);
    if (!reason.empty())
      reasons.push_back(std::move(reason));
  }
  return reasons;
}

std::string tegula::explainCompile(const Signature &declared,
                                   llvm::ArrayRef<const Variant *> variants,
                                   llvm::ArrayRef<Argument> arguments) {
  if (variants.empty() || arguments.size() != declared.parameters.size())
    return "the first call";
  std::optional<std::vector<std::string>> fewest;
  for (const Variant *variant : variants) {
    std::vector<std::string> reasons =
        listDifferences(variant->guard.getSignature(), arguments);
    // Of those that are as near, the last.
    if (!fewest || reasons.size() <= fewest->size())
      fewest = std::move(reasons);
  }
  return fewest->empty() ? "other arguments than before" : join(*fewest);
}

bool tegula::isCapturedConstant(const CapturedValue &value) {
  using Kind = CapturedValue::Kind;
  switch (value.kind) {
  case Kind::Bool:
  case Kind::Int:
  case Kind::Float:
  case Kind::String:
  case Kind::DType:
    return true;
  case Kind::Tuple:
    for (const CapturedValue &element : value.elements)
      if (!isCapturedConstant(element))
        return false;
    return true;
  default:
    return false;
  }
}

std::string tegula::formatCaptured(const CapturedValue &value) {
  using Kind = CapturedValue::Kind;
  switch (value.kind) {
  case Kind::None:
    return "None";
  case Kind::Bool:
    return value.integer ? "True" : "False";
  case Kind::Int:
    return std::to_string(value.integer);
  case Kind::Float: {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value.real);
    char shorter[40];
    std::snprintf(shorter, sizeof shorter, "%g", value.real);
    return std::strtod(shorter, nullptr) == value.real ? shorter : text;
  }
  case Kind::String:
    return "\"" + value.text + "\"";
  case Kind::DType:
    return value.text;
  case Kind::Tuple: {
    std::string text;
    for (const CapturedValue &element : value.elements)
      text += (text.empty() ? "" : ", ") + formatCaptured(element);
    return "(" + text + ")";
  }
  default:
    return "another object";
  }
}

/// The names of a block of both programs that stand for something else now.
static void compareBlocks(const ProgramBlock &before, const ProgramBlock &after,
                          std::vector<std::string> &reasons) {
  if (before.text != after.text)
    reasons.push_back("the text of " + after.name + " changed");
  for (const auto &[name, value] : after.names)
    for (const auto &[other, old] : before.names)
      if (name == other && formatCaptured(value) != formatCaptured(old))
        reasons.push_back(name + " changed from " + formatCaptured(old) +
                          " to " + formatCaptured(value));
}

/// What is different in a program that a function has become.
static std::vector<std::string> listChanges(const Program &before,
                                            const Program &after) {
  std::vector<std::string> reasons;
  if (before.target != after.target)
    reasons.push_back("the target changed from " + before.target + " to " +
                      after.target);
  for (const ProgramBlock &block : after.blocks)
    for (const ProgramBlock &old : before.blocks)
      if (old.name == block.name && old.path == block.path &&
          old.firstLine == block.firstLine)
        compareBlocks(old, block, reasons);
  return reasons;
}

std::string tegula::explainChange(llvm::ArrayRef<const Program *> before,
                                  const Program &after) {
  std::optional<std::vector<std::string>> fewest;
  for (const Program *program : before) {
    std::vector<std::string> reasons = listChanges(*program, after);
    if (!fewest || reasons.size() < fewest->size())
      fewest = std::move(reasons);
  }
  return fewest ? join(*fewest) : "";
}
