// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/NormGenerator.h"

using namespace tegula;
using namespace tegula::differential;

/// The rows that an iteration has, as a rule.
std::string NormGenerator::down() {
  if (rows == 0)
    return ":";
  if (random.chance(2))
    return random.pick<std::string>({":", "0 : " + step()});
  return "i : i + " + step();
}

/// All columns, as a rule; extents that are known are those that meet.
std::string NormGenerator::across() {
  if (random.chance(95) || program.fixed.count('C'))
    return ":";
  return random.pick<std::string>(
      {"0 : 5", "1 :", "3 : 20", rows ? "0 : i" : "0 : 8"});
}

/// A part of a tensor as FP32.
std::string NormGenerator::read(const std::string &tensor,
                                const std::string &subscript) {
  std::string part = tensor + "[" + subscript + "]";
  for (const Parameter &parameter : program.parameters)
    if (parameter.name == tensor && parameter.kind.dtype != DType::FP32)
      return "pl.cast(" + part + ", pl.FP32)";
  return part;
}

std::string NormGenerator::matrix() {
  if (!matrices.empty() && random.chance(60))
    return random.pick(matrices);
  return read(random.pick({"x", "x", "x", "y", "z"}), down() + ", " + across());
}

/// A number for each row, none of them large.
std::string NormGenerator::perRow(std::vector<Statement> &body) {
  if (!columns.empty() && random.chance(40))
    return random.pick(columns);
  if (random.chance(15))
    return read("s", down() + ", :");
  std::string from = matrix();
  std::string made = random.pick<std::string>(
      {"pl.row_max(" + from + ")", "pl.row_min(" + from + ")",
       "pl.row_sum(" + from + ") * 0.05",
       "1.0 / (pl.row_sum(pl.abs(" + from + ")) + 1.0)"});
  if (random.chance(70))
    let(body, "r", made, columns);
  return random.chance(70) && !columns.empty() ? columns.back()
                                               : "(" + made + ")";
}

/// What meets a matrix.
std::string NormGenerator::other() {
  switch (random.number(0, 9)) {
  case 0:
  case 1:
  case 2:
    // Loops over rows see windows of matrices.
    return random.chance(rows ? 15 : 60) ? read("b", ":") : read("c", ":, :");
  case 3:
    return random.pick({"0.5", "-1.25", "2.0"});
  case 4: {
    std::string left = rows ? "min(M - i, " + step() + ")" : "M";
    return "pl.full([" + (random.chance(70) ? left : "1") + ", " +
           program.nameOf('C') + "], pl.FP32, 0.5)";
  }
  case 5:
    if (rows != 0 && random.chance(20))
      return "pl.cast(i, pl.FP32)";
    [[fallthrough]];
  default:
    return matrix();
  }
}

/// Of what is between -4 and 4.
std::string NormGenerator::expensive(const std::string &value) {
  std::string small = "pl.minimum(pl.maximum(" + value + ", -4.0), 4.0)";
  return random.pick<std::string>(
      {"pl.exp(" + small + ")", "pl.exp(" + small + ")",
       "pl.tanh(" + small + ")", "pl.erf(" + small + ")",
       "pl.sin(" + small + ")", "pl.log(pl.abs(" + small + ") + 1.0)"});
}

std::string NormGenerator::value() {
  std::string made = matrix();
  if (random.chance(60))
    made =
        "(" + made + " " + random.pick({"+", "-", "*"}) + " " + other() + ")";
  if (random.chance(15))
    made = "pl.maximum(" + made + ", " + other() + ")";
  if (random.chance(10))
    made = "pl.sel(" + matrix() + " > 0.5, " + made + ", " + other() + ")";
  return made;
}

void NormGenerator::let(std::vector<Statement> &body, const char *prefix,
                        const std::string &value,
                        std::vector<std::string> &names) {
  std::string name = fresh(prefix);
  body.push_back({{name + " = " + value}});
  names.push_back(name);
}

/// An expensive row that is reduced, and perhaps another one made of both.
void NormGenerator::addNorm(std::vector<Statement> &body) {
  for (int64_t left = random.number(1, 2); left > 0; --left) {
    std::string from = value();
    if (random.chance(50))
      from = "(" + from + " - " + perRow(body) + ")";
    let(body, "e", random.chance(85) ? expensive(from) : from, matrices);
    if (random.chance(80))
      let(body, "r",
          random.pick<std::string>({"pl.row_sum", "pl.row_max", "pl.row_min"}) +
              "(" + matrices.back() + ")" +
              random.pick({" * 0.05", " + 1.0", ""}),
          columns);
  }
}

/// Rounds what is stored to the type of the tensor.
Statement NormGenerator::storeTo(const std::string &target,
                                 const std::string &subscript,
                                 const std::string &made) {
  std::string stored = made;
  for (const Parameter &parameter : program.parameters)
    if (parameter.name == target && parameter.kind.dtype != DType::FP32)
      stored = "pl.cast(" + made + ", pl." +
               getName(parameter.kind.dtype).str() + ", mode=\"rint\")";
  return {{target + "[" + subscript + "] = " + stored}};
}

void NormGenerator::addStore(std::vector<Statement> &body) {
  std::string target = random.pick({"y", "y", "z"});
  std::string made = random.pick(matrices);
  if (random.chance(70))
    made = "(" + made + " " + random.pick({"*", "-", "+"}) + " " +
           perRow(body) + ")";
  else if (random.chance(40))
    made = value();
  if (random.chance(25))
    made = "(" + made + " * " + other() + ")";
  std::string subscript = down() + ", " + across();
  body.push_back(storeTo(target, subscript, made));
  if (random.chance(10))
    body.push_back({{"s[" + down() + ", :] = " + perRow(body)}});
}

/// What an iteration does with its rows, each by itself.
std::string NormGenerator::plainRows() {
  std::string own = read("x", "i : i + " + step() + ", :");
  return random.pick<std::string>(
      {own + " * 2.0", own + " + " + read("c", ":, :"),
       own + " - pl.row_max(" + own + ")",
       own + " * (pl.row_sum(" + own + ") * 0.05)",
       own + " + pl.full([min(M - i, " + step() + "), " + program.nameOf('C') +
           "], pl.FP32, 0.5)"});
}

/// What would be another thing with more rows in an iteration: they are
/// counted, or see each other, or what was made for so many before.
Statement NormGenerator::oddStore() {
  std::string target = random.pick({"y", "z"});
  std::string subscript = "i : i + " + step() + ", :";
  std::string own = read("x", subscript);
  std::string left = "min(M - i, " + step() + ")";
  switch (random.pick({0, 0, 1, 1, 2, 3, 4, 5, 5, 6, 7, 7, 8, 8, 9, 10, 11})) {
  case 0:
    return storeTo(target, subscript, matrices.front());
  case 1:
    return storeTo(target, subscript, own + " + " + matrices.front());
  case 2:
    return storeTo(target, subscript, own + " * " + columns.front());
  case 3:
    return storeTo(target, subscript, own + " * pl.cast(i, pl.FP32)");
  case 4:
    return storeTo(target, subscript, own + " * pl.col_max(" + own + ")");
  case 5:
    return storeTo(target, subscript,
                   own + " + pl.col_sum(" + own + ") * 0.05");
  case 6:
    return storeTo(target, subscript,
                   own + " + pl.full([" + step() + ", " + program.nameOf('C') +
                       "], pl.FP32, 0.5)");
  case 7:
    return storeTo(target, "i : i + " + step() + ", 0 : " + left,
                   "pl.full([" + left + ", " + left + "], pl.FP32, 0.5)");
  case 8:
    return storeTo(target, "i : i + " + step() + ", 0 : i",
                   read("x", "i : i + " + step() + ", 0 : i"));
  case 9:
    return storeTo(target, "0 : " + step() + ", :", own + " * 2.0");
  case 10:
    return storeTo(target, subscript,
                   read("x", "i + 1 : i + 1 + " + step() + ", :") + " * 2.0");
  default:
    return storeTo(target, subscript, own + " + " + read(target, "0 : 1, :"));
  }
}

/// Rows that may be taken more at a time, but perhaps for one thing.
void NormGenerator::addPlainLoop() {
  rows = random.pick({2, 2, 3, 4, 8, 16});
  std::string first = read("x", "0 : " + step() + ", :");
  let(program.body, "e", first + " * 1.0", matrices);
  let(program.body, "r", "pl.row_max(" + first + ")", columns);
  Statement loop{{"for i in pl.parallel(0, M, " + step() + "):"}};
  bool isOdd = random.chance(75);
  if (isOdd && random.chance(50))
    loop.body.push_back(oddStore());
  for (int64_t left = random.number(1, 2); left > 0; --left)
    loop.body.push_back(storeTo(random.pick({"y", "z"}),
                                "i : i + " + step() + ", :", plainRows()));
  if (isOdd)
    loop.body.push_back(oddStore());
  program.body.push_back(std::move(loop));
}

/// The same with a few rows at a time, and what was made before.
void NormGenerator::addLoop() {
  int64_t few = random.pick({2, 3, 4, 4, 8, 8, 16});
  if (random.chance(30))
    let(program.body, "e",
        read("x", "0 : " + std::to_string(few) + ", :") + " * 1.0", matrices);
  if (random.chance(10))
    let(program.body, "r",
        "pl.row_max(" + read("x", "0 : " + std::to_string(few) + ", :") + ")",
        columns);
  rows = few;
  Statement loop{{"for i in " +
                  random.pick<std::string>({"pl.parallel", "pl.parallel",
                                            "pl.parallel", "pl.range"}) +
                  "(0, M, " + step() + "):"}};
  // As many columns as rows were done, or what was made before as it is.
  if (random.chance(15))
    loop.body.push_back({{"z[" + down() + ", 0 : i] = z[" + down() +
                          ", 0 : i]" + random.pick({"", " * 2.0"})}});
  if (!matrices.empty() && random.chance(50))
    addStore(loop.body);
  for (int64_t left = random.number(1, 2); left > 0; --left) {
    addNorm(loop.body);
    addStore(loop.body);
  }
  program.body.push_back(std::move(loop));
}

Program NormGenerator::generate() {
  program.tiles = {{'R', 8}, {'C', 16}, {'K', 4}};
  for (int64_t size = 1; size <= 40; ++size)
    program.sizes['C'].push_back(size);
  for (int64_t size : {0, 64, 65, 129})
    program.sizes['C'].push_back(size);
  program.sizes['R'] = {0, 1, 2, 3, 5, 7, 8, 9, 15, 17, 31, 33, 127, 129, 140};
  if (random.chance(15))
    program.fixed['C'] = static_cast<int>(random.number(1, 40));
  auto anyType = [&] {
    return random.pick(
        {DType::FP32, DType::FP32, DType::FP32, DType::BF16, DType::FP16});
  };
  DType source = random.chance(75)
                     ? anyType()
                     : random.pick({DType::Int8, DType::UInt8, DType::FP8E4M3FN,
                                    DType::FP64});
  program.parameters = {{"x", {"RC", source}},
                        {"b", {"C", anyType()}},
                        {"c", {"1C", anyType()}},
                        {"y", {"RC", anyType()}, /*isWritten=*/true},
                        {"z", {"RC", anyType()}, /*isWritten=*/true},
                        {"s", {"R1", DType::FP32}, /*isWritten=*/true},
                        {"q", {"K", DType::FP32}}};
  if (random.chance(60)) {
    if (random.chance(60))
      addPlainLoop();
    else
      addLoop();
    return std::move(program);
  }
  for (int64_t left = random.number(1, 2); left > 0; --left) {
    addNorm(program.body);
    addStore(program.body);
  }
  return std::move(program);
}
