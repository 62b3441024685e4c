// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/Generator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::differential;

void Generator::declareParameters() {
  std::vector<DType> all = {
      DType::Int8,  DType::Int16,  DType::Int32,     DType::Int64,
      DType::UInt8, DType::UInt16, DType::UInt32,    DType::UInt64,
      DType::FP16,  DType::BF16,   DType::FP32,      DType::FP64,
      DType::Int4,  DType::UInt4,  DType::FP8E4M3FN, DType::FP8E5M2};
  dtypes = {random.pick({DType::FP32, DType::FP32, DType::FP16, DType::BF16,
                         DType::FP64}),
            random.pick(all)};
  if (random.chance(50))
    dtypes.push_back(random.pick(all));
  auto add = [&](const char *prefix, const char *axes, bool isWritten) {
    Parameter parameter{fresh(prefix), {axes, randomDType()}, isWritten};
    if (random.chance(8))
      parameter.kind.dtype = DType::Bool;
    parameter.isExact =
        !isWritten || !isFloat(parameter.kind.dtype) || random.chance(50);
    program.parameters.push_back(parameter);
  };
  for (const char *axes : {"RC", "RC", "RK"})
    add("x", axes, false);
  for (const char *axes : {"KC", "1C", "R1", "CR", "C", "3RC"})
    if (random.chance(25))
      add("x", axes, false);
  for (int scalars = random.number(0, 2); scalars > 0; --scalars)
    program.parameters.push_back({fresh("s"), {"s", randomDType()}});
  bool hasBatches = random.chance(15);
  if (hasBatches)
    add("x", "3RK", false);
  add("y", "RC", true);
  if (hasBatches)
    add("y", "3RC", true);
  for (const char *axes : {"RC", "R1", "1C", "CR", "11"})
    if (random.chance(20))
      add("y", axes, true);
}

/// An integer in the annotations, and long enough for a whole tile wherever
/// one is taken: shorter ones would be of another static shape.
void Generator::fixAxis() {
  char axis = random.pick({'R', 'C', 'K'});
  program.fixed[axis] =
      program.tiles[axis] + 2 + random.pick({0, 1, 5, program.tiles[axis]});
}

void Generator::declareHelpers() {
  hasHelper = random.chance(40);
  if (hasHelper)
    program.helpers += std::string("@pl.jit.inline\ndef first(a, b):\n"
                                   "    return ") +
                       random.pick({"a + b", "pl.maximum(a, b) - b",
                                    "a * b + a", "pl.sel(a > b, a, a - b)"}) +
                       "\n\n\n";
  hasPairHelper = random.chance(30);
  if (hasPairHelper)
    program.helpers += "@pl.jit.inline\ndef pair(a, b):\n"
                       "    c = pl.minimum(a, b)\n"
                       "    for u in pl.range(2):\n        c = c + b\n"
                       "    return a - b, c\n\n\n";
  hasThreeHelper = random.chance(20);
  if (hasThreeHelper)
    program.helpers += "@pl.jit.inline\ndef ends(a, s):\n"
                       "    low = pl.row_min(a)\n"
                       "    if s > 2:\n"
                       "        low = low + low\n"
                       "    return low, pl.maximum(a, low), s - 1\n\n\n";
}

std::vector<Generator::Variable> Generator::variables() const {
  std::vector<Variable> all;
  for (const std::vector<Variable> &scope : scopes)
    llvm::append_range(all, scope);
  return all;
}

/// What may be rebound: not loop variables, not views. Around a loop or a
/// branch, the extents of a value without a tile must be known before it; here
/// they might not be.
std::vector<Generator::Variable> Generator::carried() const {
  std::vector<Variable> all;
  for (const std::vector<Variable> &scope : scopes)
    for (const Variable &variable : scope) {
      const std::string &axes = variable.kind.axes;
      bool isScalar = axes == "s", isIndex = axes == "i";
      if (!variable.isView && !isIndex &&
          (isScalar || &scope == &scopes.back() || areTiled(axes)))
        all.push_back(variable);
    }
  return all;
}

std::string Generator::randomAxes() {
  return random.pick({"RC", "RC", "RC", "R1", "1C", "11", "CR", "RK", "KC"});
}

void Generator::let() {
  Kind kind = {randomAxes(), randomDType()};
  Expr value = tile(kind, level);
  bool isExact = value.isExact;
  std::string name = bind(std::move(value));
  scopes.back().push_back({name, kind, isExact});
  print(scopes.back().back());
}

/// Prints what has the same digits on every target, now and then. The choice is
/// not of the numbers that the rest of the program is made from.
void Generator::print(const Variable &variable) {
  bool isWhole = variable.isExact && !isFloat(variable.kind.dtype);
  if (isWhole && prints.chance(15))
    emit({"pl.print(\"" + variable.name + "\", " + variable.name + ")"});
}

void Generator::rebind() {
  std::vector<Variable> choices = carried();
  if (choices.empty())
    return let();
  Variable variable = random.pick(choices);
  Expr value = variable.kind.axes == "s"
                   ? scalar(variable.kind.dtype)
                   : sameTile(variable.kind, level, variable.isExact);
  value.text = variable.name + " = " + value.text;
  emit(std::move(value));
}

void Generator::swap() {
  std::vector<Variable> choices = carried();
  for (const Variable &first : choices)
    for (const Variable &second : choices)
      if (first.name < second.name && first.kind == second.kind &&
          first.isExact == second.isExact) {
        emit(makeExpr({}, first.name + ", " + second.name + " = " +
                              second.name + ", " + first.name));
        return;
      }
  let();
}

void Generator::augment() {
  std::vector<Variable> choices = carried();
  llvm::erase_if(choices, [](const Variable &variable) {
    return variable.kind.axes == "s" || variable.kind.dtype == DType::Bool;
  });
  if (choices.empty())
    return let();
  Variable variable = random.pick(choices);
  emit(makeExpr({}, variable.name + random.pick({" += {}", " -= {}"}),
                {sameTile(variable.kind, 1, variable.isExact)}));
}

void Generator::readElement() {
  std::vector<Parameter> tensors = readable();
  llvm::erase_if(tensors, [](const Parameter &parameter) {
    return !parameter.isExact || parameter.kind.dtype == DType::Bool;
  });
  if (tensors.empty())
    return let();
  Parameter tensor = random.pick(tensors);
  DType dtype = tensor.kind.dtype;
  std::string name = fresh("c");
  emit(makeExpr({}, name + " = pl.const(0, pl." + getName(dtype).str() + ")"));
  std::vector<std::string> indices;
  for (char axis : tensor.kind.axes)
    indices.push_back(elementIndex(axis));
  std::string subscript = llvm::join(indices, ", ");
  std::string text = random.chance(50)
                         ? tensor.name + "[" + subscript + "]"
                         : "pl.read(" + tensor.name + ", [" + subscript + "])";
  Statement guard{makeExpr({}, "if " + isNotEmpty(tensor.kind.axes) + ":")};
  guard.body.push_back({makeExpr({}, name + " = " + text)});
  block().push_back(std::move(guard));
  scopes.back().push_back({name, {"s", dtype}});
}

void Generator::writeElement() {
  std::vector<Parameter> tensors = readable();
  llvm::erase_if(tensors, [](const Parameter &parameter) {
    return !parameter.isWritten || parameter.kind.dtype == DType::Bool;
  });
  if (tensors.empty())
    return store();
  Parameter tensor = random.pick(tensors);
  std::vector<std::string> indices;
  for (char axis : tensor.kind.axes)
    indices.push_back(elementIndex(axis));
  std::string subscript = llvm::join(indices, ", ");
  std::string text =
      random.chance(50)
          ? tensor.name + "[" + subscript + "] = {}"
          : "pl.write(" + tensor.name + ", [" + subscript + "], {})";
  Statement guard{makeExpr({}, "if " + isNotEmpty(tensor.kind.axes) + ":")};
  guard.body.push_back({makeExpr({}, text, {scalar(tensor.kind.dtype)})});
  block().push_back(std::move(guard));
}

void Generator::view() {
  std::vector<Parameter> tensors = readable();
  llvm::erase_if(tensors, [](const Parameter &parameter) {
    return parameter.kind.axes.size() != 2;
  });
  Parameter tensor = random.pick(tensors);
  std::string name = fresh("w");
  emit(makeExpr({}, name + " = " + tensor.name + "[" +
                        slice(tensor.kind.axes[0]) + ", " +
                        slice(tensor.kind.axes[1]) + "]"));
  scopes.back().push_back({name, tensor.kind, tensor.isExact, true});
}

void Generator::callTwoResults() {
  if (!hasPairHelper)
    return let();
  Kind kind = {randomAxes(), randomDType()};
  std::string first = fresh("t"), second = fresh("t");
  Expr call = makeExpr({}, first + ", " + second + " = pair({}, {})",
                       {tile(kind, 1), tile(kind, 1)});
  bool isExact = call.isExact;
  emit(std::move(call));
  scopes.back().push_back({first, kind, isExact});
  scopes.back().push_back({second, kind, isExact});
}

void Generator::callThreeResults() {
  if (!hasThreeHelper)
    return let();
  Kind kind = {random.pick({"RC", "RK", "CR"}), randomDType()};
  std::string low = fresh("t"), high = fresh("t"), count = fresh("c");
  Expr call = makeExpr({},
                       low + ", " + high + ", " + count + " = ends({}, " +
                           indexVariable() + ")",
                       {tile(kind, 1)});
  bool isExact = call.isExact;
  emit(std::move(call));
  Kind column = {{kind.axes[0], '1'}, kind.dtype};
  scopes.back().push_back({low, column, isExact});
  scopes.back().push_back({high, kind, isExact});
  scopes.back().push_back({count, {"i", DType::Index}, true, true});
}

void Generator::store() {
  std::vector<Parameter> outputs;
  for (const Parameter &parameter : program.parameters)
    if (parameter.isWritten && parameter.kind.axes.size() == 2)
      outputs.push_back(parameter);
  Parameter output = random.pick(outputs);
  const std::string &axes = output.kind.axes;
  Expr value = sameTile(output.kind, level, output.isExact);
  std::vector<std::string> parts;
  if (areTiled(axes) && random.chance(40)) {
    for (char axis : axes)
      parts.push_back(axis == '1' ? "0" : tiles[axis].offset);
    emit(makeExpr({},
                  "pl.store({}, [" + llvm::join(parts, ", ") + "], " +
                      output.name + ")",
                  {std::move(value)}));
    return;
  }
  for (char axis : axes) {
    bool isShifted =
        !llvm::isDigit(axis) && tiles[axis].size && random.chance(10);
    parts.push_back(slice(axis, isShifted ? random.number(1, 2) : 0));
  }
  emit(makeExpr({}, output.name + "[" + llvm::join(parts, ", ") + "] = {}",
                {std::move(value)}));
}

void Generator::fillBlock(Statement &owner, int depth, int fuel, bool isLoop) {
  blocks.push_back(&owner.body);
  scopes.emplace_back();
  for (int64_t left = random.number(1, fuel); left > 0; --left) {
    statement(depth, std::max(1, fuel - 1));
    if (!isLoop || !random.chance(20))
      continue;
    Statement leave{makeExpr({}, "if {}:", {condition()})};
    leave.body.push_back({makeExpr({}, random.pick({"break", "continue"}))});
    block().push_back(std::move(leave));
  }
  scopes.pop_back();
  blocks.pop_back();
}

void Generator::statement(int depth, int fuel) {
  int64_t choice = random.number(0, depth > 0 ? 27 : 21);
  if (choice < 4)
    return let();
  if (choice < 8)
    return rebind();
  if (choice < 12)
    return store();
  if (choice < 14)
    return readElement();
  if (choice < 15)
    return writeElement();
  if (choice < 16)
    return view();
  if (choice < 17)
    return callTwoResults();
  if (choice < 19)
    return augment();
  if (choice < 20)
    return swap();
  if (choice < 21)
    return (this->*random.pick({&Generator::callThreeResults,
                                &Generator::storeBatches,
                                &Generator::scatterToTensor}))();
  if (choice < 22)
    return (this->*random.pick({&Generator::scratch,
                                &Generator::partlyWrittenScratch,
                                &Generator::scratchThatIsCopied,
                                &Generator::firstIteration,
                                &Generator::firstIteration}))();
  if (choice < 24)
    return branch(depth - 1, fuel);
  if (choice < 26)
    return loop(depth - 1, fuel);
  if (choice < 27)
    return whileLoop(depth - 1, fuel);
  carryingLoop(depth - 1, fuel);
}

Program Generator::generate() {
  level = random.pick({1, 1, 1, 2, 2, 3});
  declareParameters();
  declareHelpers();
  declareContainerHelpers();
  declareMover();
  program.tiles = {{'R', random.pick({1, 3, 4, 7, 8, 8, 16})},
                   {'C', random.pick({1, 5, 8, 16, 16, 19, 32})},
                   {'K', random.pick({2, 4, 8, 9})}};
  tiles = {{'R', {}}, {'C', {}}, {'K', {}}};
  if (random.chance(25))
    fixAxis();
  scopes.emplace_back();
  blocks.push_back(&program.body);
  if (random.chance(25)) {
    for (int64_t left = random.number(1, 3); left > 0; --left)
      statement(1, 2);
    store();
  } else {
    generateTiled();
  }
  return std::move(program);
}
