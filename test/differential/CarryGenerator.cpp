// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/CarryGenerator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::differential;

void CarryGenerator::declareParameters() {
  kind = {random.chance(60) ? "R" : "RC",
          random.pick({DType::FP32, DType::FP32, DType::FP32, DType::Int32,
                       DType::FP16, DType::FP64})};
  source = fresh("x");
  program.parameters.push_back({source, kind});
  program.parameters.push_back({"s", {"s", DType::Int32}});
  for (int64_t left = random.number(1, 3); left > 0; --left) {
    values.push_back(std::string(1, static_cast<char>('a' + values.size())));
    outputs.push_back(fresh("y"));
    program.parameters.push_back({outputs.back(), kind, /*isWritten=*/true});
  }
}

void CarryGenerator::declareHelpers() {
  std::string rest = kind.axes.size() == 2 ? ", :" : "";
  hasHelper = random.chance(30);
  if (hasHelper)
    program.helpers += "@pl.jit.inline\ndef less(v, n):\n"
                       "    m = pl.tensor.dim(v, 0)\n"
                       "    return v[0 : max(m - n, 0)" +
                       rest + "] + 1\n\n\n";
  hasPairHelper = values.size() > 1 && random.chance(20);
  if (hasPairHelper)
    program.helpers += "@pl.jit.inline\ndef turn(v, w):\n"
                       "    m = pl.tensor.dim(v, 0)\n"
                       "    return w, v[min(m, 1) : m" +
                       rest + "] - 1\n\n\n";
}

std::string CarryGenerator::extent(const std::string &name, size_t axis) {
  std::string number = std::to_string(axis);
  return random.chance(60) ? "pl.tensor.dim(" + name + ", " + number + ")"
                           : name + ".shape[" + number + "]";
}

std::string CarryGenerator::index() {
  return indices.empty() ? "1" : random.pick(indices);
}

/// What is left of an axis after a cut; sometimes more than there is.
std::string CarryGenerator::shorter(const std::string &name, size_t axis) {
  std::string size = extent(name, axis);
  if (random.chance(40)) {
    std::string bound = fresh("n");
    emit(bound + " = " + size);
    size = bound;
  }
  std::string by = random.pick({std::string("1"), std::string("2"), index()});
  switch (random.number(0, 5)) {
  case 0:
    return "min(" + by + ", " + size + ") : " + size;
  case 1:
    return ": " + size + " // 2";
  case 2:
    return std::to_string(random.number(0, 2)) + " : " +
           std::to_string(random.number(3, 9));
  default:
    return "0 : max(" + size + " - " + by + ", 0)";
  }
}

std::string CarryGenerator::window(const std::vector<std::string> &parts) {
  return "[" + llvm::join(parts, ", ") + "]";
}

std::string CarryGenerator::whole() {
  return sourceWindow.empty() ? source : source + sourceWindow;
}

Expr CarryGenerator::cutOf(const std::string &name) {
  std::vector<std::string> parts(kind.axes.size(), ":");
  size_t axis = random.number(0, parts.size() - 1);
  parts[axis] = shorter(name, axis);
  return {name + window(parts), {}, kind};
}

/// What a value begins with, or is made anew from.
Expr CarryGenerator::first() {
  bool isInLoop = !indices.empty() && sourceWindow.empty();
  if (isInLoop && random.chance(50)) {
    std::vector<std::string> parts(kind.axes.size(), ":");
    parts[0] = random.pick({"min(" + index() + ", M) : M", ": " + index(),
                            index() + " : " + index() + " + 4"});
    return changed({source + window(parts), {}, kind});
  }
  return changed({whole(), {}, kind});
}

/// Numbers that stay exact.
Expr CarryGenerator::changed(Expr value) {
  const char *text =
      isFloat(kind.dtype)
          ? random.pick({"{} + 1.0", "{} * 0.5", "{} - 2.0",
                         "pl.minimum({} * 2.0, 8.0)", "pl.maximum({}, -1.0)"})
          : random.pick({"{} + 1", "{} * 3", "{} ^ 5", "pl.maximum({}, -1)"});
  return {text, {std::move(value)}, kind};
}

std::string CarryGenerator::condition() {
  std::string name = value();
  return random.pick(
      {index() + " % 2 == 0", index() + " == 1", std::string("s > 2"),
       extent(name, 0) + " > " + std::to_string(random.number(0, 5)),
       extent(name, kind.axes.size() - 1) + " < 4",
       extent(name, 0) + " < " + extent(value(), 0), std::string("M > 3")});
}

void CarryGenerator::assign(const std::string &name, Expr value) {
  value.text = name + " = " + value.text;
  block().push_back({std::move(value)});
}

void CarryGenerator::cut() {
  std::string from = value(), to = random.chance(70) ? from : value();
  Expr part = cutOf(from);
  if (random.chance(15)) {
    std::string name = fresh("t");
    assign(name, changed(std::move(part)));
    part = {name, {}, kind};
  }
  assign(to, random.chance(85) ? changed(std::move(part)) : std::move(part));
}

void CarryGenerator::cutByHelper() {
  if (hasPairHelper && random.chance(50)) {
    std::string from = value(), other = value();
    if (from != other)
      return emit(from + ", " + other + " = turn(" + from + ", " + other + ")");
  }
  if (!hasHelper)
    return cut();
  emit(value() + " = less(" + value() + ", " +
       random.pick({std::string("1"), index()}) + ")");
}

void CarryGenerator::change() {
  std::string name = value();
  if (random.chance(25))
    return emit(name + " += 1");
  assign(name, changed({name, {}, kind}));
}

void CarryGenerator::rename() { emit(value() + " = " + value()); }

/// Swaps two values, or rotates three.
void CarryGenerator::permute() {
  if (values.size() == 1)
    return change();
  std::vector<std::string> names = values;
  std::swap(names[0], names[random.number(0, names.size() - 1)]);
  if (random.chance(50))
    names.resize(2);
  std::vector<std::string> rotated = names;
  std::rotate(rotated.begin(), rotated.begin() + 1, rotated.end());
  emit(llvm::join(names, ", ") + " = " + llvm::join(rotated, ", "));
}

/// Two values where both are.
void CarryGenerator::combine() {
  std::string lhs = value(), rhs = value();
  std::vector<std::string> parts;
  for (size_t axis = 0; axis < kind.axes.size(); ++axis) {
    std::string both = fresh("n");
    emit(both + " = min(" + extent(lhs, axis) + ", " + extent(rhs, axis) + ")");
    parts.push_back("0 : " + both);
  }
  std::string windowText = window(parts);
  const char *text =
      random.pick({"({} - {})", "pl.maximum({}, {})", "pl.minimum({}, {})"});
  assign(value(), {text,
                   {{lhs + windowText, {}, kind}, {rhs + windowText, {}, kind}},
                   kind});
}

void CarryGenerator::renew() {
  Expr made = first();
  assign(value(), std::move(made));
}

void CarryGenerator::count() {
  if (!hasCount)
    return change();
  emit("total = total + " + extent(value(), 0));
}

void CarryGenerator::leave() {
  Statement guard{{"if " + condition() + ":"}};
  guard.body.push_back({{random.pick({"break", "continue"})}});
  block().push_back(std::move(guard));
}

void CarryGenerator::store(size_t index) {
  const std::string &name = values[index];
  std::vector<std::string> parts;
  for (size_t axis = 0; axis < kind.axes.size(); ++axis) {
    bool isTiled = axis == 0 && !sourceWindow.empty();
    std::string from = isTiled ? "i" : "0";
    parts.push_back(from + " : " + (isTiled ? "i + " : "") +
                    extent(name, axis));
  }
  emit(outputs[index] + window(parts) + " = " + name);
}
