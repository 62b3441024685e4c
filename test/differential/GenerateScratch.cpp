// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the kernel itself, functions that are given some, and helpers that
// take tuples and dicts.

#include "test/differential/Generator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::differential;

static std::string nameOf(DType dtype) { return "pl." + getName(dtype).str(); }

/// A tensor that is written before it is read: at once, in halves or by rows.
void Generator::scratch() {
  Kind kind = {random.pick({"RC", "RC", "R1", "KC"}), randomDType()};
  Expr value = tile(kind, level);
  bool isExact = value.isExact;
  std::string from = bind(std::move(value)), name = fresh("w");
  emit(makeExpr({}, name + " = pl.create_tensor([" + sizes(kind.axes) + "], " +
                        nameOf(kind.dtype) + ")"));
  std::string rows = sizeOf(kind.axes[0]);
  bool isWhole = llvm::none_of(
      kind.axes, [&](char axis) { return axis != '1' && isTiled(axis); });
  if (!isWhole) {
    // Of a tile at the end of its axis there may be less.
    emit(makeExpr({},
                  name + "[:, :] = pl.full([" + sizes(kind.axes) +
                      "], dtype=" + nameOf(kind.dtype) + ", value={})",
                  {constant(kind.dtype)}));
    emit(makeExpr({}, "pl.store(" + from + ", [0, 0], " + name + ")"));
  } else if (random.chance(40)) {
    emit(makeExpr({}, name + "[:, :] = " + from));
  } else if (random.chance(50)) {
    std::string half = random.pick({rows + " // 2", "min(" + rows + ", 3)"});
    for (const std::string &part : {"0 : " + half, half + " : " + rows})
      emit(makeExpr({}, name + "[" + part + ", :] = " + from + "[" + part +
                            ", :]"));
  } else {
    std::string at = fresh("q"), part = at + " : " + at + " + 3";
    Statement iterations{
        makeExpr({}, "for " + at + " in pl.range(0, " + rows + ", 3):")};
    iterations.body.push_back({makeExpr(
        {}, name + "[" + part + ", :] = " + from + "[" + part + ", :]")});
    block().push_back(std::move(iterations));
  }
  if (isWhole && hasMover && random.chance(60))
    name = move(name, kind);
  scopes.back().push_back({name, kind, isExact, /*isView=*/true});
  if (isWhole && kind.dtype != DType::Bool && random.chance(30))
    overwrite(name, kind, isExact);
}

/// What was read of a tensor before it is written again holds what was there,
/// also where it is multiplied only afterwards.
void Generator::overwrite(const std::string &name, const Kind &kind,
                          bool isExact) {
  std::string then = bind(sameTile(kind, level, isExact)), stored = fresh("t");
  std::string all = name + "[:, :]";
  emit(makeExpr(
      {}, stored + " = " +
              random.pick({all, all, "pl.maximum(" + all + ", " + all + ")"})));
  emit(makeExpr({}, all + " = " + then));
  scopes.back().push_back({stored, kind, isExact, /*isView=*/true});
}

/// Functions of tensors, which some machines keep as functions.
void Generator::declareMover() {
  hasMover = random.chance(30);
  if (!hasMover)
    return;
  program.helpers +=
      std::string("@pl.jit.") + random.pick({"incore", "opaque"}) +
      "\ndef moved(a: pl.Tensor, out: pl.Out[pl.Tensor]):\n    n = "
      "a.shape[0]\n" +
      random.pick({"    out[:, :] = pl.maximum(a, pl.row_min(a))\n",
                   "    for i in pl.range(n):\n"
                   "        out[i : i + 1, :] = a[n - 1 - i : n - i, :]\n",
                   "    for i in pl.range(0, n, 3):\n"
                   "        out[i : i + 3, :] = pl.col_max(a[0 : i + 1, :])\n",
                   "    for i in pl.parallel(n):\n"
                   "        t = a[i : i + 1, :]\n"
                   "        out[i : i + 1, :] = t + t\n"}) +
      "    return out\n\n\n";
}

/// What the function makes of a tensor, in memory of its own or in the same.
std::string Generator::move(const std::string &from, const Kind &kind) {
  if (random.chance(30)) {
    emit(makeExpr({}, "moved(" + from + ", " + from + ")"));
    return from;
  }
  std::string name = fresh("w");
  emit(makeExpr({}, name + " = moved(" + from + ", pl.create_tensor([" +
                        sizes(kind.axes) + "], " + nameOf(kind.dtype) + "))"));
  return name;
}

/// An output of two axes, if all of it can be written here.
std::optional<Parameter> Generator::wholeOutput() {
  std::vector<Parameter> outputs;
  for (const Parameter &parameter : program.parameters)
    if (parameter.isWritten && parameter.kind.axes == "RC" &&
        parameter.kind.dtype != DType::Bool)
      outputs.push_back(parameter);
  if (outputs.empty() || isTiled('R') || isTiled('C'))
    return std::nullopt;
  return random.pick(outputs);
}

/// A tensor that is copied to an output, which may be read or written before
/// that, while the tensor may be read and written after it.
void Generator::scratchThatIsCopied() {
  std::optional<Parameter> output = wholeOutput();
  if (!output)
    return scratch();
  auto value = [&] {
    return bind(sameTile(output->kind, level, output->isExact));
  };
  std::string from = value(), then = value(), name = fresh("w");
  std::string all = "[:, :]", to = output->name, read;
  emit(makeExpr({}, to + all + " = " + then));
  emit(makeExpr({}, name + " = pl.create_tensor([" + sizes("RC") + "], " +
                        nameOf(output->kind.dtype) + ")"));
  emit(makeExpr({}, name + all + " = " + from));
  if (random.chance(30)) {
    read = fresh("t");
    emit(makeExpr({}, read + " = pl.maximum(" + to + all + ", " + then + ")"));
  }
  if (random.chance(30))
    emit(makeExpr({}, to + "[0 : " + sizeOf('R') + " // 2, :] = " + then +
                          "[0 : " + sizeOf('R') + " // 2, :]"));
  emit(makeExpr({}, to + all + " = " + name + all));
  if (random.chance(40))
    emit(makeExpr({}, name + all + " = " + (read.empty() ? then : read)));
  scopes.back().push_back({name, output->kind, output->isExact,
                           /*isView=*/true});
}

/// A tensor of which a part is written, and only that part is read.
void Generator::partlyWrittenScratch() {
  std::optional<Parameter> found = wholeOutput();
  if (!found)
    return scratch();
  const Parameter &output = *found;
  std::string from = bind(sameTile(output.kind, level, output.isExact));
  std::string name = fresh("w");
  emit(makeExpr({}, name + " = pl.create_tensor([" + sizes("RC") + "], " +
                        nameOf(output.kind.dtype) + ")"));
  std::string rows =
      random.pick({"min(" + sizeOf('R') + ", 3)", sizeOf('R') + " // 2"});
  std::string part = "[0 : " + rows + ", :]";
  emit(makeExpr({}, name + part + " = " + from + part));
  emit(makeExpr({}, output.name + part + " = " + name + part));
}

/// A variable that is there for its shape until the first iteration of a loop,
/// if there is one.
void Generator::firstIteration() {
  Kind kind = {random.pick({"RC", "R1", "KC"}), randomDType()};
  bool isWhole = llvm::none_of(
      kind.axes, [&](char axis) { return axis != '1' && isTiled(axis); });
  if (!isWhole || kind.dtype == DType::Bool)
    return scratch();
  std::string first = bind(exactTile(kind, level)),
              then = bind(exactTile(kind, level));
  std::string name = fresh("t"), at = fresh("q");
  emit(makeExpr({}, name + " = pl.create_tensor([" + sizes(kind.axes) + "], " +
                        nameOf(kind.dtype) + ")"));
  std::string iterations =
      random.pick(std::vector<std::string>{"3", "1", sizeOf(kind.axes[0])});
  // If the second iteration gives the value, the first one reads zeros.
  std::string condition = at + random.pick({" == 0", " == 0", " < 1", " == 1"});
  Statement loop{
      makeExpr({}, "for " + at + " in pl.range(" + iterations + "):")};
  Statement branch{makeExpr({}, "if " + condition + ":")};
  branch.body.push_back({makeExpr({}, name + " = " + first)});
  Statement rest{makeExpr({}, "else:")};
  rest.body.push_back(
      {makeExpr({}, name + " = pl.maximum(" + name + ", " + then + ")")});
  loop.body.push_back(std::move(branch));
  loop.body.push_back(std::move(rest));
  block().push_back(std::move(loop));
  scopes.back().push_back({name, kind, /*isExact=*/true, /*isView=*/true});
}

void Generator::declareContainerHelpers() {
  hasDictHelper = random.chance(20);
  if (hasDictHelper)
    program.helpers += "@pl.jit.inline\ndef chosen(a, options):\n"
                       "    if options[\"twice\"]:\n"
                       "        a = a + a\n"
                       "    return a + options[\"shift\"]\n\n\n";
  hasTupleHelper = random.chance(20);
  if (hasTupleHelper)
    program.helpers += "@pl.jit.inline\ndef folded(parts, numbers):\n"
                       "    total = parts[0]\n"
                       "    for u in pl.unroll(len(numbers)):\n"
                       "        total = total - parts[1] + numbers[u]\n"
                       "    return total\n\n\n";
}

/// One helper with options of its own at each call, or with tiles in a tuple.
std::optional<Expr> Generator::container(const Kind &kind, int depth) {
  if (!hasDictHelper && !hasTupleHelper)
    return std::nullopt;
  auto number = [&] { return std::to_string(random.number(0, 3)); };
  Expr result;
  if (hasDictHelper && (!hasTupleHelper || random.chance(50))) {
    result = makeExpr(kind,
                      std::string("chosen({}, {\"twice\": ") +
                          random.pick({"True", "False"}) +
                          ", \"shift\": " + number() + "})",
                      {tile(kind, depth)});
  } else {
    std::vector<std::string> numbers;
    for (int64_t left = random.number(1, 3); left > 0; --left)
      numbers.push_back(number());
    std::string comma = numbers.size() == 1 ? "," : "";
    result = makeExpr(kind,
                      "folded(({} + 0, {} + 0), (" + llvm::join(numbers, ", ") +
                          comma + "))",
                      {tile(kind, depth), tile(kind, depth)});
  }
  return isFloat(kind.dtype) ? clamp(std::move(result)) : result;
}
