// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/TileGenerator.h"

using namespace tegula;
using namespace tegula::differential;

/// From `first`, so long.
static std::string part(const std::string &first, const std::string &length) {
  return first + " : " + first + " + " + length;
}

Statement TileGenerator::loopOver(const std::string &index, char axis,
                                  const std::string &step, bool isParallel) {
  return {{"for " + index + " in pl." + (isParallel ? "parallel" : "range") +
           "(0, " + program.nameOf(axis) + ", " + step + "):"}};
}

std::string TileGenerator::narrowed(const std::string &tile) const {
  return "pl.cast(" + tile + ", " + narrow + ", mode=\"rint\")";
}

std::string TileGenerator::matmul(const std::string &lhs,
                                  const std::string &rhs,
                                  const char *flags) const {
  return "pl.matmul(" + lhs + ", " + rhs + flags + ", out_dtype=pl.FP32)";
}

/// What numbers that are exact stay so after.
std::string TileGenerator::changed(const std::string &tile) {
  return random.pick(
      {tile, "pl.maximum(" + tile + ", 0.0)", tile + " * 0.5",
       "pl.abs(" + tile + ")", tile + " - pl.row_max(" + tile + ")",
       tile + " + pl.col_max(" + tile + ")", "pl.minimum(" + tile + ", 3.0)"});
}

/// Scores of rows from `i` on and columns from `j` on.
std::string TileGenerator::masked(const std::string &tile) {
  std::string down = "pl.reshape(pl.arange(i, [1, " + rows + "], pl.INT32), [" +
                     rows + ", 1])",
              across = "pl.arange(j, [1, " + columns + "], pl.INT32)";
  return random.pick(
      {tile, "pl.minimum(" + tile + ", 2.0)",
       "pl.sel(" + across + " <= " + down + ", " + tile + ", -1000.0)",
       "pl.sel(" + across + " + 9 > " + down + ", " + tile + ", -1000.0)"});
}

/// Two matmuls that share an operand, over parts of the inner axis or not.
void TileGenerator::addShared(std::vector<Statement> &body) {
  bool isCut = random.chance(60);
  std::string down = part("i", rows), across = part("j", columns),
              along = isCut ? part("c", depth) : ":";
  std::string left = "x[" + down + ", " + along + "]";
  std::string rights[] = {"w[" + along + ", " + across + "]",
                          "z[" + along + ", " + across + "]"};
  // Weights of bytes.
  if (random.chance(30))
    rights[1] =
        "pl.cast(e[" + along + ", " + across + "], " + narrow + ") * 0.5";
  Statement inside = loopOver("j", 'C', columns, random.chance(70));
  std::vector<Statement> steps;
  for (int number : {0, 1}) {
    std::string sum = "s" + std::to_string(number);
    if (isCut)
      inside.body.push_back(
          {{sum + " = pl.full([" + rows + ", " + columns + "], pl.FP32, " +
            random.pick({"0.0", "1.0"}) + ")"}});
    (isCut ? steps : inside.body)
        .push_back({{sum + " = " + (isCut ? sum + " + " : "") +
                     matmul(left, rights[number])}});
  }
  if (isCut) {
    Statement loop = loopOver("c", 'K', depth, false);
    loop.body = std::move(steps);
    inside.body.push_back(std::move(loop));
  }
  inside.body.push_back({{"y[" + down + ", " + across + "] = " + changed("s0") +
                          " + " + changed("s1")}});
  body.push_back(std::move(inside));
}

/// A matmul of what another one gave.
void TileGenerator::addChain(std::vector<Statement> &body) {
  std::string down = part("i", rows), across = part("j", columns);
  std::string inner = program.nameOf('K');
  body.push_back(
      {{"r = pl.full([" + rows + ", " + inner + "], pl.FP32, 0.0)"}});
  Statement loop = loopOver("j", 'C', columns, false);
  bool isTransposed = random.chance(50);
  loop.body.push_back(
      {{"t = " +
        matmul("x[" + down + ", :]",
               isTransposed ? "u[" + across + ", :]" : "w[:, " + across + "]",
               isTransposed ? ", b_trans=True" : "")}});
  loop.body.push_back({{"p = " + narrowed(changed("t"))}});
  loop.body.push_back(
      {{random.chance(50) ? "r = pl.matmul_acc(r, p, v[" + across + ", :])"
                          : "r = r + " + matmul("p", "v[" + across + ", :]")}});
  body.push_back(std::move(loop));
  body.push_back({{"q[" + down + ", :] = " + narrowed(changed("r"))}});
}

/// Exponentials of scores, whose largest changes from block to block.
void TileGenerator::addAttention(std::vector<Statement> &body) {
  std::string down = part("i", rows), across = part("j", columns);
  std::string inner = program.nameOf('K');
  auto start = [&](const char *name, const std::string &length,
                   const char *value) {
    body.push_back({{std::string(name) + " = pl.full([" + rows + ", " + length +
                     "], pl.FP32, " + value + ")"}});
  };
  start("m", "1", "-100000.0");
  start("l", "1", "0.0");
  start("r", inner, "0.0");
  Statement loop = loopOver("j", 'C', columns, false);
  auto add = [&](const std::string &line) { loop.body.push_back({{line}}); };
  add("t = " +
      matmul("x[" + down + ", :]", "u[" + across + ", :]", ", b_trans=True") +
      " * 0.125");
  add("t = " + masked("t"));
  add("n = pl.maximum(m, pl.row_max(t))");
  add("p = pl.exp(t - n)");
  add("f = pl.exp(m - n)");
  add("l = l * f + pl.row_sum(p)");
  add("r = r * f + " + matmul(narrowed("p"), "v[" + across + ", :]"));
  add("m = n");
  body.push_back(std::move(loop));
  body.push_back({{"q[" + down + ", :] = " + narrowed("r / l")}});
}

/// Whole rows, or parts of them, with scalars next to them.
void TileGenerator::addRows(std::vector<Statement> &body) {
  std::string down = part("i", rows), across = part("j", columns);
  Statement loop = loopOver("j", 'C', columns, random.chance(60));
  std::string tile = "b[" + down + ", " + across + "]";
  loop.body.push_back(
      {{"t = " + changed("(" + tile + " + a[" + across + "]" + ")")}});
  if (random.chance(40))
    loop.body.push_back({{"t = pl.exp(" + masked("t") + " * 0.125)"}});
  if (random.chance(40))
    loop.body.push_back(
        {{"g[" + across + ", " + down + "] = pl.transpose(t)"}});
  loop.body.push_back({{"y[" + down + ", " + across + "] = t"}});
  body.push_back(std::move(loop));
}

/// Rows in chunks, which are read twice.
void TileGenerator::addPasses(std::vector<Statement> &body) {
  std::string tile = "b[" + part("i", rows) + ", " + part("j", columns) + "]";
  body.push_back({{"s = pl.full([" + rows + ", 1], pl.FP32, 0.0)"}});
  body.push_back({{"m = pl.full([" + rows + ", 1], pl.FP32, -100.0)"}});
  Statement first = loopOver("j", 'C', columns, false);
  first.body.push_back({{"t = " + tile}});
  first.body.push_back({{"s = s + pl.row_sum(" + changed("t") + ")"}});
  first.body.push_back({{"m = pl.maximum(m, pl.row_max(t))"}});
  Statement second = loopOver("j", 'C', columns, random.chance(50));
  second.body.push_back(
      {{"y[" + part("i", rows) + ", " + part("j", columns) + "] = " + tile +
        " * " + random.pick({"s", "m"}) + " + m"}});
  body.push_back(std::move(first));
  body.push_back(std::move(second));
}

/// Reads what it writes: the same elements, or what other ones are made of.
void TileGenerator::addInPlace(std::vector<Statement> &body) {
  std::string down = part("i", rows), across = part("j", columns);
  bool isState = random.chance(50);
  std::string own =
      "y[" + down + ", " + (isState ? "0 : " + columns : across) + "]";
  Statement loop = loopOver("j", 'C', columns, !isState && random.chance(60));
  loop.body.push_back({{"t = " + changed("b[" + down + ", " + across + "]")}});
  std::string before = random.pick<std::string>(
      {own, own + " * 0.5", own + " - pl.row_max(" + own + ")",
       own + " + pl.col_max(" + own + ")"});
  loop.body.push_back({{own + " = " + before + " + t"}});
  if (random.chance(30))
    loop.body.push_back({{own + " = pl.maximum(" + own + ", -2.0)"}});
  body.push_back(std::move(loop));
}

/// Ops on tiles in memory between ops on tiles in registers.
void TileGenerator::addRuleless(std::vector<Statement> &body) {
  std::string down = part("i", rows), across = part("j", columns);
  std::string half = std::to_string(std::stoi(columns) / 2);
  bool isFromOutside = random.chance(25);
  if (isFromOutside)
    program.body.push_back(
        {{"e = " + random.pick<std::string>(
                       {"pl.full([1, " + columns + "], pl.FP32, 0.5)",
                        "pl.col_max(b[0 : " + rows + ", 0 : " + columns + "])",
                        "b[0 : 1, 0 : " + columns + "] * 0.5"})}});
  Statement loop = loopOver("j", 'C', columns, random.chance(60));
  auto add = [&](const std::string &line) { loop.body.push_back({{line}}); };
  add("t = " + changed("b[" + down + ", " + across + "]"));
  for (int64_t left = random.number(1, 2); left > 0; --left)
    add(random.pick<std::string>(
        {"t = pl.cumsum(t, axis=1)", "t = t + pl.read(t, [0, 0])",
         "t = pl.concat(t[:, 0 : " + half + "] - 1.0, t[:, " + half + " :])",
         "t = pl.concat(t[:, " + half + " :], t[:, 0 : " + half + "])",
         "t = t + pl.cast(pl.argmax(t, 1, keepdims=True), pl.FP32)"}));
  add("t = " + changed(isFromOutside ? "(t + e)" : "t"));
  if (random.chance(30)) {
    add("h = 0");
    Statement repeat = {{"while h < 3:"}};
    repeat.body = {{{"h += 1"}}, {{"t = t * 0.5 + pl.row_max(t)"}}};
    loop.body.push_back(std::move(repeat));
  }
  add("y[" + down + ", " + across + "] = t");
  body.push_back(std::move(loop));
}

Program TileGenerator::generate() {
  DType type = random.pick({DType::BF16, DType::FP16, DType::FP32});
  narrow = type == DType::BF16   ? "pl.BF16"
           : type == DType::FP16 ? "pl.FP16"
                                 : "pl.FP32";
  rows = random.pick({"16", "16", "32", "64", "8", "5"});
  columns = random.pick({"16", "32", "64", "24"});
  depth = random.pick({"16", "32", "24", "8"});
  program.tiles = {{'R', std::stoi(rows)}, {'C', std::stoi(columns)}};
  program.tiles['K'] = std::stoi(depth);
  program.fixed['K'] = random.pick({16, 32, 64, 12, 20, 36, 8});
  if (random.chance(15))
    program.fixed['R'] = random.pick({1, 5});
  if (random.chance(20))
    program.fixed['C'] = random.pick({16, 40});
  program.parameters = {{"x", {"RK", type}},        {"w", {"KC", type}},
                        {"z", {"KC", type}},        {"u", {"CK", type}},
                        {"v", {"CK", type}},        {"b", {"RC", DType::FP32}},
                        {"a", {"C", DType::FP32}},  {"y", {"RC", DType::FP32}},
                        {"g", {"CR", DType::FP32}}, {"q", {"RK", type}},
                        {"e", {"KC", DType::Int8}}};
  for (size_t number : {7, 8, 9})
    program.parameters[number].isWritten = true;
  for (int64_t left = random.number(1, 2); left > 0; --left) {
    Statement outside = loopOver("i", 'R', rows, random.chance(80));
    auto add =
        random.pick({&TileGenerator::addShared, &TileGenerator::addChain,
                     &TileGenerator::addAttention, &TileGenerator::addRows,
                     &TileGenerator::addPasses, &TileGenerator::addInPlace,
                     &TileGenerator::addRuleless});
    (this->*add)(outside.body);
    program.body.push_back(std::move(outside));
  }
  return std::move(program);
}
