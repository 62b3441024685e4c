// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/EpilogueGenerator.h"

using namespace tegula;
using namespace tegula::differential;

void EpilogueGenerator::write(const char *name) {
  for (Parameter &parameter : program.parameters)
    parameter.isWritten |= parameter.name == name;
}

/// One, or several that are added up.
std::string EpilogueGenerator::matmul() {
  switch (random.number(0, 9)) {
  case 0:
    return "pl.matmul_acc(y[:, :], x, w)";
  case 1:
    return "pl.matmul_acc(z[:, :] + 1.0, u, w)";
  case 2:
    return "pl.matmul_acc(pl.matmul(u, t), x, w)";
  case 3:
    return "(pl.matmul(x, w) + pl.matmul(u, t))";
  case 4:
    return "pl.maximum(pl.matmul(x, t), 0.0) - pl.matmul(x, w)";
  case 5:
    return "pl.matmul(x[:, :] + 1.0, w)";
  case 6:
    return "pl.matmul(v, w, a_trans=True)";
  default:
    return "pl.matmul(x, w)";
  }
}

/// What an epilogue reads.
std::string EpilogueGenerator::operand() {
  std::string rows = program.nameOf('R'), columns = program.nameOf('C');
  return random.pick<std::string>(
      {"y[:, :]", "y[:, :]", "z[:, :]", "b", "r[:, :]", "pl.abs(r[:, :])",
       "d[:, :]", "(d[:, :] + 1.0)", "2.0", "(b + 1.0)",
       "pl.cast(h[:, :], pl.FP32)", "pl.load(z, [0, 0], [" + rows + ", 1])",
       "pl.load(z, [1, 0], [" + rows + ", " + columns + "])",
       "y[0:" + rows + ", :]"});
}

std::string EpilogueGenerator::changed(std::string tile) {
  for (int64_t left = random.number(0, 3); left > 0; --left)
    switch (random.number(0, 9)) {
    case 0:
      tile = "pl.maximum(" + tile + ", " + operand() + ")";
      break;
    case 1:
      tile = "pl.abs(" + tile + ")";
      break;
    case 2:
      tile = "(" + tile + ") * " + random.pick({"d[:, :]", "2.0", "r[:, :]"});
      break;
    case 3:
      tile = random.pick({"(" + tile + " - pl.row_max(" + tile + "))",
                          "pl.cast(pl.cast(" + tile + ", pl.BF16), pl.FP32)"});
      break;
    case 4:
      tile = operand() + " - (" + tile + ")";
      break;
    default:
      tile = "(" + tile + ") + " + operand();
      break;
    }
  return tile;
}

/// What was loaded is there no longer when it is stored.
Statement EpilogueGenerator::overwrite() {
  const char *name = random.pick({"x", "w", "z", "y", "r", "d"});
  write(name);
  std::string rows = random.pick({":", ":", "0:2", "1:"});
  std::string window = std::string(name) + "[" + rows + ", :]";
  return {{window + " = " + window + random.pick({" + 1.0", " * 2.0"})}};
}

Statement EpilogueGenerator::store(const std::string &tile) {
  std::string name = random.pick<std::string>({"y", "y", "z"});
  if (random.chance(12))
    return {{"pl.store(" + tile + ", [" + random.pick({"1", "0", "2"}) + ", " +
             random.pick({"0", "1"}) + "], " + name + ")"}};
  if (random.chance(12))
    return {{"h[:, :] = pl.cast(" + tile + ", pl.BF16)"}};
  return {{name + "[:, :] = " + tile}};
}

void EpilogueGenerator::addMatmul(std::vector<Statement> &body) {
  std::string tile = "p" + std::to_string(count++);
  body.push_back({{tile + " = " + matmul()}});
  if (random.chance(40))
    body.push_back({{tile + " = " + changed(tile)}});
  if (random.chance(30))
    body.push_back(overwrite());
  for (int64_t left = random.chance(25) ? 2 : 1; left > 0; --left)
    body.push_back(store(changed(tile)));
}

/// Rows or columns are reduced, or elements move.
void EpilogueGenerator::addReduced(std::vector<Statement> &body) {
  std::string tile = "p" + std::to_string(count++);
  body.push_back({{tile + " = " + changed(matmul())}});
  if (random.chance(20))
    body.push_back(overwrite());
  for (int64_t left = random.chance(25) ? 2 : 1; left > 0; --left)
    if (random.chance(15)) {
      write("d");
      body.push_back({{"d[:, :] = " +
                       random.pick<std::string>({"pl.row_max", "pl.row_sum"}) +
                       "(" + tile + ")"}});
    } else {
      body.push_back(store(random.pick<std::string>(
          {tile + " - pl.row_max(" + tile + ")",
           "pl.abs(" + tile + " - pl.row_max(" + tile + "))",
           tile + " + pl.row_sum(pl.abs(" + tile + ")) * 2.0",
           changed("(" + tile + " - pl.row_min(" + tile + "))"),
           "pl.row_max(" + tile + ") - " + operand(),
           "y[:, :] - pl.row_max(" + tile + ")",
           tile + " - pl.col_max(" + tile + ")",
           "pl.transpose(pl.transpose(" + tile + ") + 1.0)"})));
    }
}

/// An author's tiles, with an epilogue that moves with them or not.
void EpilogueGenerator::addTiles() {
  std::string height = random.pick({"16", "16", "8"});
  std::string width = random.pick({"16", "16", "12"});
  std::string down = "i : i + " + height, across = "j : j + " + width;
  std::string at = down + ", " + across, shape = height + ", " + width;
  auto loop = [&](const char *variable, char axis) {
    return Statement{{"for " + std::string(variable) + " in " +
                      random.pick({"pl.parallel", "pl.range"}) + "(0, " +
                      program.nameOf(axis) + ", 16):"}};
  };
  Statement rows = loop("i", 'R'), columns = loop("j", 'C');
  std::string tile = "pl.matmul(x[" + down + ", :], w[:, " + across + "])";
  for (int64_t left = random.number(0, 3); left > 0; --left)
    tile = random.pick<std::string>(
        {tile + " + y[" + at + "]", tile + " + z[" + at + "]",
         tile + " + r[:, " + across + "]", tile + " * d[" + down + ", :]",
         "pl.maximum(" + tile + ", pl.full([" + shape + "], pl.FP32, 0.0))",
         "pl.maximum(" + tile + ", 0.0)",
         tile + " + pl.load(z, [0, 0], [" + shape + "])",
         tile + " + pl.load(y, [0, j], [" + shape + "])"});
  columns.body.push_back({{"y[" + at + "] = " + tile}});
  rows.body.push_back(std::move(columns));
  program.body.push_back(std::move(rows));
}

/// Whole arrays, some of the inner axis at a time.
void EpilogueGenerator::addSteps() {
  Statement steps{{"for k in pl.range(0, " + program.nameOf('K') + ", 16):"}};
  steps.body.push_back(
      {{"y[:, :] = " +
        changed(
            "pl.matmul_acc(y[:, :], x[:, k : k + 16], w[k : k + 16, :])")}});
  program.body.push_back(std::move(steps));
}

Program EpilogueGenerator::generate() {
  program.tiles = {{'R', 16}, {'C', 16}, {'K', 16}};
  program.sizes['R'] = {0, 1, 2, 3, 15, 16, 17, 33, 67, 151};
  program.sizes['C'] = {0, 1, 2, 3, 15, 16, 17, 31, 130};
  program.sizes['K'] = {0, 0, 1, 2, 15, 16, 17, 33};
  for (auto [axis, percent] : {std::pair('R', 15), {'C', 25}, {'K', 20}})
    if (random.chance(percent))
      program.fixed[axis] = random.pick({1, 2, 17, 300});
  for (auto [name, axes] : {std::pair("x", "RK"),
                            {"w", "KC"},
                            {"u", "RK"},
                            {"t", "KC"},
                            {"v", "KR"},
                            {"b", "C"},
                            {"r", "1C"},
                            {"d", "R1"}})
    program.parameters.push_back({name, {axes, DType::FP32}});
  for (const char *name : {"y", "z"})
    program.parameters.push_back({name, {"RC", DType::FP32}, true});
  program.parameters.push_back({"h", {"RC", DType::BF16}, true});
  for (int64_t left = random.number(1, 2); left > 0; --left)
    if (random.chance(20)) {
      addTiles();
    } else if (random.chance(12)) {
      addSteps();
    } else if (random.chance(35)) {
      addReduced(program.body);
    } else if (random.chance(15)) {
      Statement loop{{"for n in pl.range(0, 2):"}};
      random.chance(30) ? addReduced(loop.body) : addMatmul(loop.body);
      program.body.push_back(std::move(loop));
    } else {
      addMatmul(program.body);
    }
  return std::move(program);
}
