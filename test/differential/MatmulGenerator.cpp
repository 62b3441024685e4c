// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/MatmulGenerator.h"

using namespace tegula;
using namespace tegula::differential;

/// From `first`, so long.
static std::string part(const std::string &first, const std::string &length) {
  return first + " : " + first + " + " + length;
}

/// Longer than the steps of the loop are.
std::string MatmulGenerator::windowLength(char axis) {
  return random.chance(50) ? program.nameOf(axis)
                           : random.pick({"2 * " + step, step + " + 1"});
}

MatmulGenerator::Follows MatmulGenerator::follows() {
  return random.chance(60)   ? Follows::Steps
         : random.chance(60) ? Follows::Overlaps
                             : Follows::Not;
}

/// What is stored instead of a sum.
std::string MatmulGenerator::changed(const std::string &tile) {
  if (random.chance(25))
    return tile;
  // The last two see how many rows and columns there are.
  return random.pick({"pl.maximum(" + tile + ", 0.0)", tile + " * 2.0",
                      tile + " - pl.row_max(" + tile + ")",
                      tile + " + pl.col_max(" + tile + ")",
                      tile + " + pl.col_sum(" + tile + " + 1.0)",
                      tile + " + pl.row_sum(" + tile + " + 1.0)"});
}

/// Rows of the lhs in an iteration of the loop over i.
std::string MatmulGenerator::rows(Follows how) {
  switch (how) {
  case Follows::Steps:
    return "x[" + part("i", step) + ", :]";
  case Follows::Overlaps:
    if (random.chance(40))
      return "u[" + part("i", step) + ", :]";
    return "pl.load(x, [i, 0], [" + windowLength('R') + ", " +
           program.nameOf('K') + "])";
  case Follows::Not:
    return random.pick({"v", "v", "v[0:5, :]"});
  }
  return "";
}

/// Columns of the right one.
std::string MatmulGenerator::columns(Follows how) {
  switch (how) {
  case Follows::Steps:
    return "z[:, " + part("i", step) + "]";
  case Follows::Overlaps:
    return "pl.load(z, [0, i], [" + program.nameOf('K') + ", " +
           windowLength('R') + "])";
  case Follows::Not:
    return random.pick({"w", "w", "w[:, 0:16]"});
  }
  return "";
}

/// What else an iteration of the loop over the inner axis does.
Statement MatmulGenerator::otherStore(const std::string &a,
                                      const std::string &b,
                                      const std::string &sum,
                                      const std::string &k,
                                      const std::string &length) {
  std::string own = "s[" + part("i", step) + ", :]";
  switch (random.number(0, 5)) {
  case 0:
    return {{own + " = " + sum}};
  case 1:
    program.parameters[1].isWritten = true;
    return {{"w[" + part(k, length) + ", :] = " + b + " + 1.0"}};
  case 2:
    program.parameters[0].isWritten = true;
    return {{"x[" + part("i", step) + ", " + part(k, length) + "] = " + a +
             " * 2.0"}};
  case 3:
    return {{"y[" + part("i", step) + ", :] = y[" + part("i", step) +
             ", :] + 1.0"}};
  default:
    return {{own + " = " + own + " + pl.row_sum(" + a + " * " + a + ")"}};
  }
}

/// How many rows or columns a sum starts from: as many as an iteration of the
/// loop over `variable` has, or what is left of them, or another number.
std::string MatmulGenerator::startLength(char axis, const std::string &variable,
                                         const std::string &most) {
  std::string left = program.nameOf(axis) + " - " + variable;
  auto least = [&](const std::string &length) {
    return "min(" + length + ", " + most + ")";
  };
  return random.pick({most, most, least(left), least(left),
                      least(left + " + 1"), least(left + " + 1"),
                      least(program.nameOf('K'))});
}

/// A sum over the squares of a diagonal.
void MatmulGenerator::addDiagonal(std::vector<Statement> &body) {
  std::string sum = fresh("acc"), k = fresh("c");
  std::string square = "d[" + part(k, step) + ", " + part(k, step) + "]";
  bool isLeft = random.chance(30);
  body.push_back({{sum + " = pl.full([" + step + ", " + step + "], pl.FP32, " +
                   random.pick({"0.0", "1.0"}) + ")"}});
  Statement loop{{"for " + k + " in pl.range(0, " + program.nameOf('K') + ", " +
                  step + "):"}};
  loop.body.push_back(
      {{sum + " = pl.matmul_acc(" + sum + ", " +
        (isLeft
             ? square + ", z[" + part(k, step) + ", " + part("i", step) + "]"
             : "x[" + part("i", step) + ", " + part(k, step) + "], " + square) +
        ")"}});
  body.push_back(std::move(loop));
  body.push_back({{"pl.store(" + changed(sum) + ", " +
                   (isLeft ? "[0, i], q)" : "[i, 0], s)")}});
}

/// One matmul, tile by tile along its inner axis.
void MatmulGenerator::accumulate(std::vector<Statement> &body) {
  std::string sum = fresh("acc"), k = fresh("c"), a = fresh("a"),
              b = fresh("b");
  std::string length = random.chance(70) ? step : windowLength('K');
  body.push_back({{sum + " = pl.full([" + startLength('R', "i", step) + ", " +
                   program.nameOf('C') + "], pl.FP32, " +
                   random.pick({"0.0", "0.0", "1.0"}) + ")"}});
  Statement loop{{"for " + k + " in pl.range(" +
                  random.pick({"0, ", "0, ", "0, ", "8, "}) +
                  program.nameOf('K') + ", " + step + "):"}};
  std::string down = part("i", step), along = part(k, length);
  if (random.chance(20))
    along = k + " :";
  bool loads = along != k + " :" && random.chance(40);
  Expr left{a + " = " +
            (loads
                 ? "pl.load(x, [i, " + k + "], [" + step + ", " + length + "])"
                 : "x[" + down + ", " + along + "]")};
  Expr right{b + " = " +
             (loads ? "pl.load(w, [" + k + ", 0], [" + length + ", " +
                          program.nameOf('C') + "])"
                    : "w[" + along + ", :]")};
  loop.body.push_back({std::move(left)});
  loop.body.push_back({std::move(right)});
  bool isBefore = random.chance(30), isAfter = random.chance(40);
  if (isBefore)
    loop.body.push_back(otherStore(a, b, sum, k, length));
  loop.body.push_back(
      {{sum + " = pl.matmul_acc(" + sum + ", " + a + ", " + b + ")"}});
  if (isAfter)
    loop.body.push_back(otherStore(a, b, sum, k, length));
  body.push_back(std::move(loop));
  // What all iterations write, the last of them has written.
  if (random.chance(15))
    body.push_back({{"pl.store(" + changed(sum) + ", [0, 0], s)"}});
  else
    body.push_back({{"y[" + down + ", :] = " + changed(sum)}});
}

/// One matmul, tile by tile along all of its axes, once or twice.
void MatmulGenerator::accumulateTiles(std::vector<Statement> &body) {
  bool isTransposed = random.chance(30);
  std::string rows = startLength('R', "i", step);
  for (int64_t left = random.chance(40) ? 2 : 1; left > 0; --left)
    addColumns(body, isTransposed, rows,
               random.pick<std::string>({step, step, "12", "20"}));
}

/// All columns of the rows of an iteration, so many at a time.
void MatmulGenerator::addColumns(std::vector<Statement> &body,
                                 bool isTransposed, const std::string &rows,
                                 const std::string &width) {
  std::string sum = fresh("acc"), j = fresh("j"), k = fresh("c"),
              total = fresh("total");
  std::string down = part("i", step), across = part(j, width),
              along = part(k, step);
  bool isCarried = random.chance(30);
  if (isCarried)
    body.push_back({{total + " = pl.full([" + step + ", 1], pl.FP32, 0.0)"}});
  Statement columns{{"for " + j + " in pl.range(0, " + program.nameOf('C') +
                     ", " + width + "):"}};
  std::string start = random.chance(50) ? width : startLength('C', j, width);
  columns.body.push_back(
      {{sum + " = pl.full([" + rows + ", " + start + "], pl.FP32, " +
        random.pick({"0.0", "0.0", "1.0"}) + ")"}});
  Statement inner{{"for " + k + " in pl.range(0, " + program.nameOf('K') +
                   ", " + step + "):"}};
  inner.body.push_back({{sum + " = pl.matmul_acc(" + sum + ", " +
                         (isTransposed ? "z[" + along + ", " + down + "]"
                                       : "x[" + down + ", " + along + "]") +
                         ", w[" + along + ", " + across + "]" +
                         (isTransposed ? ", a_trans=True)" : ")")}});
  columns.body.push_back(std::move(inner));
  if (isCarried)
    columns.body.push_back(
        {{total + " = " + total + " + pl.row_sum(" + sum + " + 1.0)"}});
  if (!isCarried || random.chance(60))
    columns.body.push_back(
        {{"y[" + down + ", " + across + "] = " + changed(sum)}});
  body.push_back(std::move(columns));
  if (isCarried)
    body.push_back({{"s[" + down + ", :] = s[" + down + ", :] + " + total}});
}

/// The tile of an iteration's rows next to a column of them, which may be of
/// what is written.
std::string MatmulGenerator::withColumn(const std::string &tile) {
  auto column = [&] {
    std::string name = random.pick<std::string>({"x", "x", "y", "s"});
    std::string own = name + "[" + part("i", step) + ", 0:1]";
    return random.pick({own, "(" + own + " + 1.0)", "pl.abs(" + own + ")"});
  };
  std::string made = tile + " * " + column();
  return random.chance(50) ? made : made + " + " + column();
}

/// Where the matmul of such tiles goes.
Statement MatmulGenerator::storeOf(const std::string &tile, Follows down,
                                   Follows across) {
  if (down == Follows::Not)
    return across == Follows::Steps && random.chance(70)
               ? Statement{{"pl.store(" + changed(tile) + ", [0, i], q)"}}
               : Statement{{"pl.store(pl.row_sum(" + tile + "), [0, i // " +
                            step + "], q)"}};
  if (across == Follows::Not && down == Follows::Steps && random.chance(30))
    return {{"pl.store(" + withColumn(tile) + ", [i, 0], " +
             random.pick({"y", "s"}) + ")"}};
  if (across == Follows::Not)
    return down == Follows::Steps && random.chance(70)
               ? Statement{{"pl.store(" + changed(tile) + ", [i, 0], " +
                            random.pick({"y", "s"}) + ")"}}
               : Statement{{"pl.store(pl.col_sum(" + tile + "), [i // " + step +
                            ", 0], " + random.pick({"y", "s"}) + ")"}};
  return {{"pl.store(pl.row_sum(" + tile + "), [i, 0], s)"}};
}

/// A matmul of tiles of whole rows and columns.
void MatmulGenerator::multiply(std::vector<Statement> &body) {
  std::string tile = fresh("t");
  Follows down = follows(), across = follows();
  if (down != Follows::Not && random.chance(70))
    across = Follows::Not;
  body.push_back(
      {{tile + " = pl.matmul(" + rows(down) + ", " + columns(across) + ")"}});
  body.push_back(storeOf(tile, down, across));
}

Program MatmulGenerator::generate() {
  program.tiles = {{'R', 16}, {'C', 16}, {'K', 16}};
  for (auto [axis, percent] : {std::pair('K', 40), {'C', 70}, {'R', 25}})
    if (random.chance(percent))
      program.fixed[axis] = random.pick({32, 64});
  // Fewer rows than an iteration of the loop takes.
  if (random.chance(10))
    program.fixed['R'] = random.pick({1, 5});
  // More than a block of rows whose sums are in memory at once.
  else if (random.chance(15))
    program.sizes['R'] = {67, 130, 151};
  // More than a window of a matmul.
  if (!program.fixed.count('C') && random.chance(30))
    program.sizes['C'] = {130, 257};
  step = random.pick({"16", "16", "8"});
  auto matrix = [&](const char *name, const char *axes, bool isWritten) {
    program.parameters.push_back({name, {axes, DType::FP32}, isWritten});
  };
  matrix("x", "RK", false);
  matrix("w", "KC", false);
  matrix("v", "8K", false);
  matrix("z", "KR", false);
  matrix("d", "KK", false);
  for (auto [name, axes] : {std::pair("y", "RC"), {"s", "RC"}, {"q", "8R"}})
    matrix(name, axes, true);
  Statement loop{{std::string("for i in ") +
                  random.pick({"pl.parallel", "pl.parallel", "pl.range"}) +
                  "(0, " + program.nameOf('R') + ", " + step + "):"}};
  Statement window{{"u = x[0:16, :]"}};
  if (random.chance(50))
    program.body.push_back(window);
  else
    loop.body.push_back(window);
  for (int64_t left = random.number(1, 2); left > 0; --left)
    if (random.chance(10))
      addDiagonal(loop.body);
    else if (random.chance(45))
      accumulate(loop.body);
    else if (random.chance(40))
      accumulateTiles(loop.body);
    else
      multiply(loop.body);
  program.body.push_back(std::move(loop));
  return std::move(program);
}
