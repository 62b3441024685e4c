// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, loops and whole programs of carried values.

#include "test/differential/CarryGenerator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <utility>

using namespace tegula;
using namespace tegula::differential;

void CarryGenerator::fillBlock(Statement &owner, int depth, bool isLoop) {
  blocks.push_back(&owner.body);
  if (isLoop)
    ++numLoops;
  for (int64_t left = random.number(1, 3); left > 0; --left) {
    if (numLoops && random.chance(12))
      leave();
    statement(depth);
  }
  if (isLoop)
    --numLoops;
  blocks.pop_back();
}

void CarryGenerator::branch(int depth) {
  Statement then{{"if " + condition() + ":"}};
  fillBlock(then, depth, false);
  block().push_back(std::move(then));
  if (random.chance(25)) {
    Statement other{{"elif " + condition() + ":"}};
    fillBlock(other, depth, false);
    block().push_back(std::move(other));
  }
  if (random.chance(50)) {
    Statement other{{"else:"}};
    fillBlock(other, depth, false);
    block().push_back(std::move(other));
  }
}

void CarryGenerator::loop(int depth) {
  std::string name = fresh("q");
  std::string kind = random.pick({"pl.range", "pl.range", "range"});
  std::string range = random.pick(
      {"3", "0, 3", "1, 4, 2", "2, 2", "3, 0, -1", "min(M, 4)", "2"});
  Statement made{{"for " + name + " in " + kind + "(" + range + "):"}};
  indices.push_back(name);
  fillBlock(made, depth, true);
  indices.pop_back();
  block().push_back(std::move(made));
}

void CarryGenerator::whileLoop(int depth) {
  std::string name = fresh("q");
  emit(name + " = 0");
  std::string more = random.chance(50) ? " and " + condition() : "";
  Statement made{{"while " + name + " < 3" + more + ":"}};
  made.body.push_back({{name + " += 1"}});
  indices.push_back(name);
  fillBlock(made, depth, true);
  indices.pop_back();
  block().push_back(std::move(made));
}

/// Values go around by `init_values` and `pl.yield_`.
void CarryGenerator::carryingLoop() {
  std::string name = fresh("q"), list = llvm::join(values, ", ");
  std::string comma = values.size() == 1 ? "," : "";
  Statement made{{"for " + name + ", (" + list + comma +
                  ") in pl.range(3, init_values=(" + list + comma + ")):"}};
  indices.push_back(name);
  int outer = std::exchange(numLoops, 0);
  fillBlock(made, 0, false);
  numLoops = outer;
  blocks.push_back(&made.body);
  Expr next{list + " = pl.yield_("};
  for (size_t index = 0; index < values.size(); ++index) {
    next.text += index ? ", {}" : "{}";
    next.operands.push_back(random.chance(50) ? changed(cutOf(value()))
                                              : Expr{value(), {}, kind});
  }
  next.text += ")";
  block().push_back({std::move(next)});
  blocks.pop_back();
  indices.pop_back();
  block().push_back(std::move(made));
}

void CarryGenerator::statement(int depth) {
  int64_t choice = random.number(0, depth > 0 ? 24 : 17);
  if (choice < 6)
    return cut();
  if (choice < 8)
    return cutByHelper();
  if (choice < 10)
    return rename();
  if (choice < 12)
    return permute();
  if (choice < 13)
    return change();
  if (choice < 14)
    return combine();
  if (choice < 16)
    return renew();
  if (choice < 17)
    return count();
  if (choice < 18)
    return store(random.number(0, values.size() - 1));
  if (choice < 20)
    return branch(depth - 1);
  if (choice < 23)
    return loop(depth - 1);
  if (choice < 24)
    return whileLoop(depth - 1);
  // Its values are those of the head, and nothing leaves it.
  carryingLoop();
}

/// Values of a whole axis.
void CarryGenerator::generateWhole() {
  for (const std::string &name : values)
    assign(name, first());
  for (int64_t left = random.number(0, 1); left > 0; --left)
    statement(1);
  loop(random.number(0, 2));
  for (int64_t left = random.number(0, 2); left > 0; --left)
    statement(2);
  for (size_t index = 0; index < values.size(); ++index)
    store(index);
}

/// Values of a tile, in a loop over the tiles.
void CarryGenerator::generateTiled() {
  std::string size = std::to_string(program.tiles['R']);
  sourceWindow = "[i : i + " + size + (kind.axes.size() == 2 ? ", :]" : "]");
  Statement rows{{std::string("for i in ") +
                  random.pick({"pl.range", "pl.parallel"}) + "(0, M, " + size +
                  "):"}};
  blocks.push_back(&rows.body);
  generateWhole();
  blocks.pop_back();
  block().push_back(std::move(rows));
}

Program CarryGenerator::generate() {
  declareParameters();
  declareHelpers();
  program.tiles = {{'R', random.pick({3, 4, 7, 8, 16})},
                   {'C', random.pick({1, 5, 8, 16})},
                   {'K', 4}};
  blocks.push_back(&program.body);
  hasCount = random.chance(30);
  if (hasCount) {
    emit("total = 0");
    program.parameters.push_back({"z", {"1", DType::Int64}, true});
  }
  if (kind.axes.size() == 2 && random.chance(60))
    generateStarted();
  else if (random.chance(75))
    generateWhole();
  else
    generateTiled();
  if (hasCount)
    emit("z[0] = pl.cast(total, pl.INT64)");
  return std::move(program);
}
