// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls of what matmuls gave, without the sums of attention; and those sums
// without matmuls.

#include "test/differential/AttentionGenerator.h"

using namespace tegula;
using namespace tegula::differential;

static std::string part(const char *index, int64_t length) {
  return std::string(index) + " : " + index + " + " + std::to_string(length);
}

/// A loop over an axis, some of it at a time.
Statement AttentionGenerator::blocks(const char *variable, char axis,
                                     int64_t length) {
  return {{std::string("for ") + variable + " in " +
           random.pick({"pl.parallel", "pl.parallel", "pl.range"}) + "(0, " +
           program.nameOf(axis) + ", " + std::to_string(length) + "):"}};
}

/// What lies between two matmuls; numbers stay small.
std::string AttentionGenerator::activated(const std::string &tile) {
  std::string small = "pl.minimum(pl.maximum(" + tile + ", -8.0), 8.0)";
  return random.pick<std::string>(
      {tile, "pl.maximum(" + tile + ", 0.0)", "pl.silu(" + small + ")",
       "pl.gelu(" + small + ")",
       "pl.exp(" + small + " - pl.row_max(" + small + "))",
       small + " - pl.row_sum(" + small + ")", small,
       "pl.softmax(" + small + ")", "pl.rms_norm(" + small + ")"});
}

/// Both matmuls in one loop over the columns between them.
void AttentionGenerator::addChain() {
  rows = random.pick({4, 8, 8, 16, 32});
  keys = random.pick({4, 8, 16});
  for (char axis : {'K', 'C'})
    if (random.chance(40))
      program.fixed[axis] = random.pick({8, 16, 24, 32});
  matrix("x", "RK", element);
  matrix("w", "KC", element);
  matrix("g", "KC", element);
  matrix("v", "CK", element);
  matrix("y", "RK", element, /*isWritten=*/true);
  Statement loop = blocks("i", 'R', rows);
  std::string height = std::to_string(rows);
  std::string left =
      random.pick<std::string>({"u", "x[" + part("i", rows) + ", :]"});
  bool isSelected = random.chance(30);
  loop.body.push_back({{"u = x[" + part("i", rows) + ", :]"}});
  loop.body.push_back(
      {{isSelected ? "o = pl.create_tile([" + height + ", " +
                         program.nameOf('K') + "], pl.FP32)"
                   : "o = pl.full([" + height + ", " + program.nameOf('K') +
                         "], pl.FP32, " + random.pick({"0.0", "1.0"}) + ")"}});
  Statement inner{{"for j in pl.range(0, " + program.nameOf('C') + ", " +
                   std::to_string(keys) + "):"}};
  auto first = [&](const char *weights) {
    return "pl.matmul(" + left + ", " + weights + "[:, " + part("j", keys) +
           "], out_dtype=pl.FP32)";
  };
  inner.body.push_back({{"p = " + first("w")}});
  inner.body.push_back({{"p = " + activated("p")}});
  if (random.chance(40))
    inner.body.push_back({{"p = p * " + first("g")}});
  std::string operands = narrowed("p") + ", v[" + part("j", keys) + ", :]";
  inner.body.push_back(
      {{isSelected || random.chance(50)
            ? "o = pl.matmul_acc(o, " + operands +
                  (isSelected ? ", init_cond=(j == 0))" : ")")
            : "o = o + pl.matmul(" + operands + ", out_dtype=pl.FP32)"}});
  loop.body.push_back(std::move(inner));
  loop.body.push_back({{"y[" + part("i", rows) + ", :] = " +
                        narrowed(random.pick<std::string>(
                            {"o", "o", "o + 1.0", "pl.rms_norm(o)"}))}});
  program.body.push_back(std::move(loop));
}

/// Whole arrays, with or without batches.
void AttentionGenerator::addWholeChain() {
  hasBatches = random.chance(40);
  matrix("x", "RK", element);
  matrix("w", "KC", element);
  matrix("v", "CK", element);
  matrix("y", "RK", element, /*isWritten=*/true);
  program.body.push_back({{"p = pl.matmul(x, w, out_dtype=pl.FP32)"}});
  program.body.push_back({{"p = " + activated("p")}});
  program.body.push_back(
      {{"o = pl.matmul(" + narrowed("p") + ", v, out_dtype=pl.FP32)"}});
  if (random.chance(30))
    program.body.push_back(
        {{"o = o + pl.matmul(" + narrowed(activated("o")) +
          ", pl.matmul(w, v, out_dtype=pl." + getName(element).str() +
          "), out_dtype=pl.FP32)"}});
  program.body.push_back({{"y[:] = " + narrowed("o")}});
}

/// Rows that see earlier ones through a matrix that the loop carries.
void AttentionGenerator::addChunkedState() {
  keys = random.pick({4, 8, 16});
  element = DType::FP32;
  if (random.chance(50))
    program.fixed['K'] = random.pick({8, 16});
  for (const char *name : {"q", "c", "v"})
    matrix(name, "RK", element);
  matrix("y", "RK", element, /*isWritten=*/true);
  matrix("z", "KK", element, /*isWritten=*/true);
  std::string size = program.nameOf('K'), step = std::to_string(keys);
  auto chunk = [&](const char *name) {
    return std::string(name) + "[" + part("i", keys) + ", :]";
  };
  program.body.push_back(
      {{"a = pl.full([" + size + ", " + size + "], pl.FP32, " +
        random.pick({"0.0", "0.5"}) + ")"}});
  Statement loop{
      {"for i in pl.range(0, " + program.nameOf('R') + ", " + step + "):"}};
  loop.body.push_back({{"s = pl.matmul(" + chunk("q") + ", " + chunk("c") +
                        ", b_trans=True)"}});
  if (random.chance(70))
    loop.body.push_back(
        {{"s = s * pl.tri(" + random.pick<std::string>({"0", "-1"}) + ", [" +
          step + ", " + step + "], dtype=pl.FP32)"}});
  loop.body.push_back({{chunk("y") + " = pl.matmul(s, " + chunk("v") +
                        ") + pl.matmul(" + chunk("q") + ", a)"}});
  loop.body.push_back(
      {{std::string("a = a") + random.pick({"", " * 0.5"}) + " + pl.matmul(" +
        chunk("c") + ", " + chunk("v") + ", a_trans=True)"}});
  if (random.chance(30))
    std::swap(loop.body[loop.body.size() - 1], loop.body[loop.body.size() - 2]);
  program.body.push_back(std::move(loop));
  if (random.chance(50))
    program.body.push_back({{"z[:, :] = a"}});
}

/// Maximum and sum of exponentials in one pass over chunks of rows.
void AttentionGenerator::addOnlineRows() {
  rows = random.pick({1, 4, 8});
  keys = random.pick({8, 16, 64});
  matrix("x", "RC", element);
  matrix("y", "RC", element, /*isWritten=*/true);
  matrix("z", "R1", DType::FP32, /*isWritten=*/true);
  program.sizes['C'] = {0, 1, keys - 1, keys, keys + 1, 3 * keys + 2, 257};
  std::string height = std::to_string(rows), down = part("i", rows);
  std::string chunk =
      "pl.cast(x[" + down + ", " + part("j", keys) + "], pl.FP32)";
  std::string column = "pl.full([" + height + ", 1], pl.FP32, ";
  Statement loop = blocks("i", 'R', rows);
  loop.body = {{{"m = " + column + random.pick({"-1e30", "-8.0"}) + ")"}},
               {{"l = " + column + "0.0)"}}};
  std::string heading = "for j in pl.range(0, " + program.nameOf('C') + ", " +
                        std::to_string(keys) + "):";
  Statement inner{{heading}};
  inner.body = {
      {{"p = " + chunk}},
      {{"g = pl.maximum(m, pl.row_max(p))"}},
      {{random.pick({"l = l * pl.exp(m - g) + pl.row_sum(pl.exp(p - g))",
                     "l = pl.row_sum(pl.exp(p - g)) + l * pl.exp(m - g)",
                     "l = l + pl.row_sum(pl.exp(p - g))"})}},
      {{"m = g"}}};
  loop.body.push_back(std::move(inner));
  Statement last{{heading}};
  last.body = {{{"y[" + down + ", " + part("j", keys) +
                 "] = " + narrowed("pl.exp(" + chunk + " - m) / l")}}};
  if (random.chance(70))
    loop.body.push_back(std::move(last));
  else
    loop.body.push_back(
        {{"y[" + down + ", :] = " +
          narrowed("pl.exp(pl.cast(x[" + down + ", :], pl.FP32) - m) / l")}});
  if (random.chance(60))
    loop.body.push_back(
        {{"z[" + down + ", :] = " + random.pick({"m + pl.log(l)", "l", "m"})}});
  program.body.push_back(std::move(loop));
}
