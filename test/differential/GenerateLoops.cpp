// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and loops.

#include "test/differential/Generator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::differential;

void Generator::branch(int depth, int fuel) {
  Statement then{makeExpr({}, "if {}:", {condition()})};
  fillBlock(then, depth, fuel, false);
  block().push_back(std::move(then));
  if (random.chance(30)) {
    Statement other{makeExpr({}, "elif {}:", {condition()})};
    fillBlock(other, depth, fuel, false);
    block().push_back(std::move(other));
  }
  if (random.chance(50)) {
    Statement other{makeExpr({}, "else:")};
    fillBlock(other, depth, fuel, false);
    block().push_back(std::move(other));
  }
}

void Generator::loop(int depth, int fuel) {
  std::string name = fresh("q");
  bool isUnrolled = random.chance(25);
  std::string range =
      isUnrolled ? random.pick({"3", "0, 4, 2", "1, 3"})
                 : random.pick({"3", "0, 5, 2", "2, 2", "3, 0, -1", "S"});
  if (range == "S")
    range = "min(" + nameAxis('R') + ", 3)";
  std::string kind =
      isUnrolled ? "pl.unroll" : random.pick({"pl.range", "range"});
  Statement made{
      makeExpr({}, "for " + name + " in " + kind + "(" + range + "):")};
  scopes.push_back({{name, {"i", DType::Index}}});
  fillBlock(made, depth, fuel, !isUnrolled);
  scopes.pop_back();
  block().push_back(std::move(made));
}

void Generator::whileLoop(int depth, int fuel) {
  std::string name = fresh("n");
  emit(makeExpr({}, name + " = 0"));
  std::string limit = random.pick({"2", "3", "S"});
  if (limit == "S")
    limit = "min(" + nameAxis('R') + ", 3)";
  Statement made{makeExpr({}, "while " + name + " < " + limit + ":")};
  made.body.push_back({makeExpr({}, name + " += 1")});
  scopes.push_back({{name, {"i", DType::Index}}});
  fillBlock(made, depth, fuel, true);
  scopes.pop_back();
  block().push_back(std::move(made));
}

/// Values go around by `init_values` and `pl.yield_`; sometimes with the count
/// among them, and a condition.
void Generator::carryingLoop(int depth, int fuel) {
  std::vector<Kind> kinds = {
      {random.pick({"R1", "11", "1C", "RC"}), randomDType()},
      {"s", randomDType()}};
  if (!areTiled(kinds[0].axes))
    kinds[0].axes = "11";
  std::string count = fresh("q");
  std::vector<Variable> carried;
  std::vector<Expr> first;
  std::vector<std::string> names;
  for (const Kind &kind : kinds) {
    names.push_back(fresh("r"));
    carried.push_back({names.back(), kind, true, true});
    first.push_back(kind.axes == "s" ? scalar(kind.dtype) : exactTile(kind, 1));
  }
  std::string list = llvm::join(names, ", ");
  bool isWhile = random.chance(40);
  std::string range = random.pick({"3", "0, 5, 2", "2, 2"});
  Statement made{
      isWhile ? makeExpr({},
                         "for (" + count + ", " + list +
                             ") in pl.while_(init_values=(0, {}, {})):",
                         std::move(first))
              : makeExpr({},
                         "for " + count + ", (" + list + ") in pl.range(" +
                             range + ", init_values=({}, {})):",
                         std::move(first))};
  if (isWhile)
    made.body.push_back({makeExpr({}, "pl.cond(" + count + " < 3)")});
  scopes.push_back({{count, {"i", DType::Index}, true, true}});
  llvm::append_range(scopes.back(), carried);
  fillBlock(made, depth, fuel, /*isLoop=*/false);
  blocks.push_back(&made.body);
  scopes.emplace_back();
  std::vector<Expr> next;
  for (const Kind &kind : kinds)
    next.push_back(kind.axes == "s" ? scalar(kind.dtype) : exactTile(kind, 1));
  std::string head = isWhile ? count + ", " : "";
  std::string step = isWhile ? count + " + 1, " : "";
  emit(makeExpr({}, head + list + " = pl.yield_(" + step + "{}, {})",
                std::move(next)));
  scopes.pop_back();
  blocks.pop_back();
  scopes.pop_back();
  block().push_back(std::move(made));
  for (Variable &variable : carried) {
    variable.isView = false;
    scopes.back().push_back(variable);
  }
}

/// A loop over tiles of rows, and perhaps one over tiles of columns in it.
void Generator::generateTiled() {
  if (random.chance(60))
    tiles['K'].size = program.tiles['K'];
  auto open = [&](const char *name, char axis, std::string kind) {
    scopes.push_back({{name, {"i", DType::Index}, true, true}});
    tiles[axis] = {name, program.tiles[axis]};
    std::string size = std::to_string(program.tiles[axis]);
    if (kind == "pl.spmd") {
      Statement grid{makeExpr({}, "for b in pl.spmd((" + nameAxis(axis) +
                                      " + " + size + " - 1) // " + size +
                                      "):")};
      grid.body.push_back({makeExpr({}, std::string(name) + " = b * " + size)});
      return grid;
    }
    return Statement{makeExpr({}, std::string("for ") + name + " in " + kind +
                                      "(0, " + nameAxis(axis) + ", " + size +
                                      "):")};
  };
  Statement rows = open("i", 'R',
                        random.pick({"pl.range", "pl.parallel", "pl.parallel",
                                     "range", "pl.spmd"}));
  blocks.push_back(&rows.body);
  if (random.chance(30)) {
    for (int64_t left = random.number(1, 3); left > 0; --left)
      statement(2, 2);
    store();
  } else {
    tiles['C'] = {"0", program.tiles['C']};
    for (int64_t left = random.number(0, 1); left > 0; --left)
      let();
    Statement columns = open("j", 'C', "pl.range");
    blocks.push_back(&columns.body);
    for (int64_t left = random.number(1, 3); left > 0; --left)
      statement(2, 2);
    store();
    blocks.pop_back();
    scopes.pop_back();
    block().push_back(std::move(columns));
    tiles['C'].offset = "0";
    if (random.chance(30))
      store();
  }
  blocks.pop_back();
  scopes.pop_back();
  program.body.push_back(std::move(rows));
}
