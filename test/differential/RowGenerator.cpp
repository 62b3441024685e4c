// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/RowGenerator.h"

using namespace tegula;
using namespace tegula::differential;

/// What an iteration has along an axis: its part, or everything.
static std::string part(const std::string &index, const std::string &step) {
  return index.empty() ? ":" : index + " : " + index + " + " + step;
}

std::string RowGenerator::rows() const { return part(rowIndex, "4"); }
std::string RowGenerator::columns() const { return part(columnIndex, "8"); }

/// The part of a matrix that an iteration has, as a rule.
std::string RowGenerator::window(const std::string &tensor) {
  std::string down = rows(), across = columns();
  if (isCareful && random.chance(90))
    return tensor + "[" + down + ", " + across + "]";
  if (random.chance(10))
    across = random.pick({":", "0 : 8"});
  // Sums have four rows, which all rows are not.
  if (random.chance(5))
    down = isSummed ? "0 : 4" : random.pick({":", "0 : 4"});
  return tensor + "[" + down + ", " + across + "]";
}

std::string RowGenerator::source() {
  if (!windows.empty() && random.chance(40))
    return random.pick(windows);
  if (random.chance(20))
    return columnIndex.empty() || random.chance(10) ? "b"
                                                    : "b[" + columns() + "]";
  if (random.chance(15))
    return std::to_string(random.number(-3, 3));
  return window(random.pick({"x", "x", "x", "y", "z"}));
}

std::string RowGenerator::value() {
  std::string made = "(" + window("x") + " " + random.pick({"+", "-", "*"}) +
                     " " + source() + ")";
  if (random.chance(30))
    made = "pl.maximum(" + made + ", " + source() + ")";
  if (columnIndex.empty() && random.chance(40))
    made = "(" + made + " - " +
           random.pick({"pl.row_sum", "pl.row_max", "pl.row_min"}) + "(" +
           made + "))";
  if (random.chance(10))
    made = "(" + made + " + N)";
  return made;
}

Statement RowGenerator::store() {
  if (random.chance(12))
    return {{"b[" + (random.chance(70) ? columns() : ":") + "] = b[" +
             columns() + "] * 2"}};
  if (!windows.empty() && random.chance(30)) {
    std::string target = random.pick(windows);
    return {{target + "[:] = " + target + " + " + source()}};
  }
  return {{window(random.pick({"y", "y", "z"})) + " = " + value()}};
}

/// Sums that a loop over chunks of rows carries: of the iteration's part, or of
/// what was made before the loop.
void RowGenerator::addSums(std::vector<Statement> &body) {
  isSummed = true;
  body.push_back({{"t = " + value()}});
  body.push_back({{"s = pl.full([4, 1], dtype=pl.INT32, value=" +
                   std::to_string(random.number(-3, 3)) + ")"}});
  std::string range =
      random.chance(90) ? "0, N, 8" : random.pick({"8, N, 8", "0, K, 8"});
  Statement loop{{"for j in pl.range(" + range + "):"}};
  columnIndex = "j";
  if (random.chance(isCareful ? 10 : 30))
    loop.body.push_back({{"s = s + pl.row_sum(" +
                          random.pick<std::string>({"t", "t + 1"}) + ")"}});
  else if (random.chance(70))
    loop.body.push_back({{random.pick<std::string>({"s = s +", "s +="}) +
                          " pl.row_sum(" + value() + ")"}});
  else
    loop.body.push_back({{"s = pl.maximum(s, pl.row_max(" + value() + "))"}});
  // What sums of some columns tell of others is not what all of them would.
  if (random.chance(15))
    loop.body.push_back({{window("z") + " = " + window("x") + " + s"}});
  columnIndex.clear();
  body.push_back(std::move(loop));
  if (random.chance(40))
    return addPartsWith("s", body);
  body.push_back({{window("y") + " = t + s"}});
}

/// A loop that writes rows in chunks, with a number for each row.
void RowGenerator::addPartsWith(const std::string &perRow,
                                std::vector<Statement> &body) {
  Statement loop{{"for k in pl.range(0, N, 8):"}};
  columnIndex = "k";
  for (int64_t left = random.number(1, 2); left > 0; --left)
    loop.body.push_back(
        {{window(random.pick({"y", "y", "z"})) + " = " + value() + " + " +
          (random.chance(80) ? perRow : "pl.abs(" + perRow + ")")}});
  columnIndex.clear();
  body.push_back(std::move(loop));
}

void RowGenerator::addBody(std::vector<Statement> &body, int depth) {
  if (random.chance(30)) {
    std::string name = "w" + std::to_string(windows.size());
    body.push_back({{name + " = " + window(random.pick({"x", "y"}))}});
    windows.push_back(name);
  }
  if (!rowIndex.empty() && columnIndex.empty() && random.chance(60))
    return addSums(body);
  if (depth < 2 && random.chance(depth == 0 ? 70 : 40)) {
    std::string index = "i" + std::to_string(depth);
    bool cutsRows = rowIndex.empty() && random.chance(70);
    std::string range = cutsRows ? "0, M, 4" : "0, N, 8";
    if (random.chance(15))
      range = random.pick({"0, 3", "0, K", "4, M, 4", "0, N, 4"});
    Statement loop{{"for " + index + " in " +
                    random.pick({"pl.parallel", "pl.range"}) + "(" + range +
                    "):"}};
    std::string &indexName = cutsRows ? rowIndex : columnIndex;
    std::string before = indexName;
    size_t known = windows.size();
    indexName = index;
    addBody(loop.body, depth + 1);
    indexName = before;
    windows.resize(known);
    body.push_back(std::move(loop));
    return;
  }
  for (int64_t left = random.number(1, 2); left > 0; --left)
    body.push_back(store());
}

/// Rows in chunks, as authors write them; or nearly so.
void RowGenerator::addChunkedRows(std::vector<Statement> &body) {
  isCareful = true;
  rowIndex = "i";
  // Rows that are known may be fewer than an iteration would take.
  if (random.chance(25))
    program.fixed['R'] = random.pick({2, 3, 5, 9});
  Statement rows{{"for i in " +
                  random.pick<std::string>({"pl.parallel", "pl.range"}) +
                  "(0, " + program.nameOf('R') + ", 4):"}};
  addSums(rows.body);
  body.push_back(std::move(rows));
}

/// Long rows that are read and written in one place, perhaps by several blocks:
/// no element may be written before, or twice.
void RowGenerator::addInPlace(std::vector<Statement> &body) {
  program.sizes['R'] = {0, 1, 1, 2, 3};
  program.sizes['K'] = {1};
  for (int64_t parts : {1, 2, 4})
    for (int64_t offset = -2; offset <= 8; ++offset)
      program.sizes['C'].push_back(parts * 256 + offset);
  auto perRow = [&](const std::string &from) {
    return random.pick<std::string>({"pl.row_sum", "pl.row_max"}) + "(" + from +
           ")";
  };
  for (std::string target : {"y", "z"}) {
    std::string made = target + " * 2 + " + random.pick({"1", "x", "b"});
    if (random.chance(40))
      made += " - " + perRow(target);
    if (random.chance(20))
      made += " + " + perRow("x");
    body.push_back({{target + "[:, :] = " + made}});
    if (random.chance(30))
      body.push_back({{"s[:, :] = " + perRow("x")}});
    if (random.chance(50))
      return;
  }
}

/// One row at a time, with a number of its own, and what a row comes to.
void RowGenerator::addSingleRows(std::vector<Statement> &body) {
  Statement rows{{"for i in pl.parallel(" + program.nameOf('R') + "):"}};
  bool isVector = random.chance(60);
  std::string row = isVector ? "[i, :]" : "[i : i + 1, :]";
  std::string perRow = isVector ? random.pick({"pl.max", "pl.min", "pl.sum"})
                                : random.pick({"pl.row_max", "pl.row_sum"});
  std::string other =
      random.pick<std::string>({"b", "r[i]", "3", "z" + row, "y[0 : 1, :]"});
  if (other == "y[0 : 1, :]" && isVector)
    other = "y[0, :]";
  rows.body.push_back({{"t = x" + row + random.pick({" + ", " * "}) + other}});
  if (random.chance(60))
    rows.body.push_back({{"t = t - " + perRow + "(t)"}});
  if (random.chance(40))
    rows.body.push_back({{"s[i : i + 1, :] = pl.row_sum(x[i : i + 1, :])"}});
  rows.body.push_back({{"y" + row + " = t"}});
  if (random.chance(20))
    rows.body.push_back({{"z" + row + " = y" + row + " * 2"}});
  body.push_back(std::move(rows));
}

/// Tensors of three axes: each head by itself, or all of a row.
void RowGenerator::addHeads(std::vector<Statement> &body) {
  Statement rows{{"for i in pl.parallel(" + program.nameOf('R') + "):"}};
  if (random.chance(50)) {
    Statement heads{{"for j in pl.parallel(3):"}};
    heads.body.push_back({{"t = h[i, j, :] + r[i]"}});
    heads.body.push_back({{"g[i, j, :] = t - pl.max(t)"}});
    rows.body.push_back(std::move(heads));
  } else {
    rows.body.push_back({{"t = h[i, :, :] * b"}});
    rows.body.push_back({{"g[i, :, :] = t + pl.row_sum(t)"}});
  }
  body.push_back(std::move(rows));
}

/// Widths around vectors, warps, and the rows that blocks have registers for.
void RowGenerator::addRowsOfAnyLength(std::vector<Statement> &body) {
  program.sizes['R'] = {0, 1, 2, 5, 33};
  program.sizes['C'] = {0, 1, 31, 32, 33, 127, 129, 256, 1023, 2050};
  program.sizes['K'] = {1};
  Kind heads{"R3C", DType::Int32};
  program.parameters.push_back({"s", {"R1", DType::Int32}, /*isWritten=*/true});
  program.parameters.push_back({"r", {"R", DType::Int32}});
  program.parameters.push_back({"h", heads});
  program.parameters.push_back({"g", heads, /*isWritten=*/true});
  for (int64_t left = random.number(1, 2); left > 0; --left) {
    if (random.chance(60))
      addSingleRows(body);
    else if (random.chance(60))
      addHeads(body);
    else
      body.push_back({{random.pick(
          {"y[:, :] = (x + b) * s", "g[:, :, :] = h * b - 1",
           "s[:, :] = pl.row_max(x + b)", "z[:, :] = x - pl.row_max(x)"})}});
  }
}

Program RowGenerator::generate() {
  program.tiles = {{'R', 4}, {'C', 8}, {'K', 4}};
  Kind matrix{"RC", DType::Int32}, vector{"C", DType::Int32};
  program.parameters = {{"x", matrix},
                        {"b", vector, /*isWritten=*/true},
                        {"y", matrix, /*isWritten=*/true},
                        {"z", matrix, /*isWritten=*/true},
                        {"q", {"K", DType::Int32}}};
  if (random.chance(10)) {
    program.parameters.push_back(
        {"s", {"R1", DType::Int32}, /*isWritten=*/true});
    addInPlace(program.body);
  } else if (random.chance(25)) {
    addRowsOfAnyLength(program.body);
  } else if (random.chance(35)) {
    addChunkedRows(program.body);
  } else {
    addBody(program.body, 0);
  }
  return std::move(program);
}
