// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/ScratchGenerator.h"

using namespace tegula;
using namespace tegula::differential;

/// Many iterations, one, or none; the same ones in each iteration of the loop
/// around or others.
std::string ScratchGenerator::range() {
  if (variables.empty() || random.chance(20))
    return random.pick({"M", "M", "M", "0, M, 2", "N", "1, M"});
  const std::string &outer = variables.back();
  if (random.chance(60))
    return random.pick({"1", "1", "1", "2, 3", "0, 4, 4", "2"});
  return random.pick({outer + ", " + outer + " + 1",
                      "M - 1 - " + outer + ", M - " + outer,
                      "pl.min(" + outer + ", 2)", outer + ", M, 3"});
}

/// How long a tensor is; at least 1.
std::string ScratchGenerator::length() {
  if (!lengths.empty() && random.chance(70))
    return random.pick(lengths);
  if (random.chance(15))
    return random.pick({"M", "3", "pl.max(N, 1)"});
  const std::string &by =
      random.chance(60) ? variables.front() : random.pick(variables);
  return random.pick({by + " + 1", by + " + 1", "pl.max(M - " + by + ", 1)",
                      "pl.max(pl.min(M - " + by + ", 4), 1)", by + " * 2 + 3",
                      by + " % 5 + 1", by + " // 2 + 1",
                      "(-" + by + " - 1) * -2", "(-" + by + " - 1) // -1"});
}

/// A tensor whose elements differ from those of others.
void ScratchGenerator::make(std::vector<Statement> &body) {
  std::string name = fresh("t"), rows = length();
  std::string value = std::to_string(random.number(1, 90));
  body.push_back(
      {{name + " = pl.create_tensor([" + rows + ", 8], dtype=pl.INT32)"}});
  if (random.chance(50)) {
    body.push_back(
        {{name + "[:] = pl.full([" + rows + ", 8], pl.INT32, " + value + ")"}});
  } else {
    std::string row = fresh("r");
    Statement fill{{"for " + row + " in pl.range(" + rows + "):"}};
    fill.body.push_back({{name + "[" + row + " : " + row +
                          " + 1, :] = x[0:1, "
                          ":] * " +
                          value + " + pl.cast(" + row + ", pl.INT32)"}});
    body.push_back(std::move(fill));
  }
  tensors.push_back({name, rows});
}

/// Reads all of what was made, after all of it was written.
void ScratchGenerator::use(std::vector<Statement> &body) {
  const std::string &at =
      random.chance(80) ? variables.front() : random.pick(variables);
  std::string row = "y[" + at + " : " + at + " + 1, :]";
  for (const auto &[name, rows] : tensors) {
    std::string last = name + "[" + rows + " - 1 : " + rows + ", :]";
    body.push_back(
        {{row + " = " + row + " + " +
          random.pick({"pl.col_sum(" + name + ")", "pl.col_max(" + name + ")",
                       last, last + " * pl.col_min(" + name + ")"})}});
  }
}

Statement ScratchGenerator::loop(int depth) {
  std::string name = fresh("i");
  bool isBelowZero = random.chance(15);
  Statement made{{"for " + (isBelowZero ? name + "m" : name) + " in " +
                  (random.chance(90) ? "pl.parallel" : "pl.range") + "(" +
                  (isBelowZero ? "0 - M, 0" : range()) + "):"}};
  if (isBelowZero)
    made.body.push_back({{name + " = " + name + "m + M"}});
  size_t numLengths = lengths.size(), numTensors = tensors.size();
  variables.push_back(name);
  if (random.chance(60)) {
    std::string length = fresh("n"), value = this->length();
    made.body.push_back({{length + " = " + value}});
    lengths.push_back(length);
  }
  bool isInnermost = depth == 2 || random.chance(depth == 0 ? 10 : 70);
  if (isInnermost || random.chance(20))
    for (int64_t left = random.number(2, 3); left > 0; --left)
      make(made.body);
  if (isInnermost && random.chance(15)) {
    Statement branch{{"if M > 2:"}};
    make(branch.body);
    use(branch.body);
    tensors.pop_back();
    made.body.push_back(std::move(branch));
  }
  if (isInnermost)
    use(made.body);
  else
    made.body.push_back(loop(depth + 1));
  lengths.resize(numLengths);
  tensors.resize(numTensors);
  variables.pop_back();
  return made;
}

/// A tensor that is written as it is, or in another shape, and then copied to
/// one that may have gaps.
void ScratchGenerator::shaped(std::vector<Statement> &body) {
  std::string name = fresh("t"), view = fresh("v"), row = fresh("r");
  bool isFlat = random.chance(40);
  std::string rows = isFlat ? "M * 8" : random.pick({"M * 2", "M * 4"});
  std::string width = isFlat ? "" : rows == "M * 2" ? ", 4" : ", 2";
  std::string all = isFlat ? "" : ", :";
  body.push_back({{name + " = pl.create_tensor([M, 8], dtype=pl.INT32)"}});
  body.push_back(
      {{view + " = pl.reshape(" + name + ", [" + rows + width + "])"}});
  if (random.chance(50)) {
    Statement fill{{"for " + row + " in pl.range(" + rows + "):"}};
    fill.body.push_back({{view + "[" + row + " : " + row + " + 1" + all +
                          "] = pl.full([1" + width +
                          "], pl.INT32, 3) + "
                          "pl.cast(" +
                          row + ", pl.INT32)"}});
    body.push_back(std::move(fill));
  } else {
    body.push_back({{name + "[:] = x + " + std::to_string(count)}});
  }
  if (random.chance(40))
    body.push_back({{view + "[:] = " + view + " * 2"}});
  if (random.chance(40)) {
    std::string window = fresh("w");
    body.push_back({{window + " = " + name + "[1 : M, :]"}});
    body.push_back({{window + "[:] = " + window + " - 1"}});
  }
  body.push_back({{std::string(random.pick({"y", "z"})) + "[:] = " + name}});
}

/// Parameters one after the other in a tensor, one of them in another shape.
/// Either may have no elements.
void ScratchGenerator::joined(std::vector<Statement> &body) {
  std::string name = fresh("t");
  std::string matrix = name + "[0 : M * 8]",
              list = name + "[M * 8 : M * 8 + N]";
  body.push_back({{name + " = pl.create_tensor([M * 8 + N], dtype=pl.INT32)"}});
  std::vector<Statement> parts = {{{matrix + " = pl.reshape(x, [M * 8])"}},
                                  {{list + " = c"}}};
  if (random.chance(30))
    std::swap(parts[0], parts[1]);
  body.insert(body.end(), parts.begin(), parts.end());
  if (random.chance(50))
    body.push_back({{name + "[:] = " + name + " * 3"}});
  body.push_back({{"y[:] = pl.reshape(" + matrix + ", [M, 8])"}});
  body.push_back({{"d[:] = " + list}});
}

Program ScratchGenerator::generate() {
  program.tiles = {{'R', 4}, {'C', 8}, {'K', 4}};
  Kind matrix{"R8", DType::Int32};
  program.parameters = {{"x", matrix},
                        {"y", matrix, /*isWritten=*/true},
                        {"z", matrix, /*isWritten=*/true},
                        {"c", {"C", DType::Int32}},
                        {"d", {"C", DType::Int32}, /*isWritten=*/true}};
  if (random.chance(30))
    shaped(program.body);
  if (random.chance(20))
    joined(program.body);
  if (program.body.empty() || random.chance(50))
    program.body.push_back(loop(0));
  return std::move(program);
}
