// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/GridGenerator.h"

using namespace tegula;
using namespace tegula::differential;

/// The window of a tile of rows.
std::string GridGenerator::rowsOf(const std::string &first) {
  return "[" + first + " : " + first + " + " + size + ", :]";
}

/// The source, or what a phase before this one wrote: of the block's own rows,
/// or of those of the block that is as far from the end.
Expr GridGenerator::value(const std::string &rows) {
  const std::string &name = random.pick(written);
  bool isOther = blocks == Blocks::Synced && name != written.front();
  std::string from = isOther && random.chance(60)
                         ? rowsOf("(" + numBlocks + " - 1 - b) * " + size)
                         : rows;
  const char *text =
      isFloat(kind.dtype)
          ? random.pick({"{} + 1.0", "{} * 0.5", "pl.minimum({} * 2.0, 8.0)"})
          : random.pick({"{} + 1", "{} * 3", "{} ^ 5"});
  return {text, {{name + from, {}, kind}}, kind};
}

/// Writes something that the block knows to its rows of `output`.
Statement GridGenerator::store(const std::string &output,
                               const std::string &rows) {
  Expr store{output + rows + " = {}", {value(rows)}};
  if (random.chance(40)) {
    store.text = output + rows + " = ({} - {})";
    store.operands.push_back(value(rows));
  }
  if (!locals.empty() && random.chance(60)) {
    store.text += " + {}";
    store.operands.push_back({random.pick(locals), {}, kind});
  }
  return {std::move(store)};
}

void GridGenerator::phase(std::vector<Statement> &body) {
  std::string rows = rowsOf("b * " + size);
  std::string output = "y" + std::to_string(written.size());
  Statement barrier{{"pl.system.syncall()"}};
  program.parameters.push_back({output, kind, /*isWritten=*/true});
  if (random.chance(40)) {
    std::string local = "t" + std::to_string(locals.size());
    body.push_back({{local + " = {}", {value(rows)}}});
    locals.push_back(local);
  }
  if (random.chance(30)) {
    Statement loop{{"for q in pl.range(2):"}};
    if (!locals.empty() && random.chance(50)) {
      const std::string &local = random.pick(locals);
      loop.body.push_back({{local + " = {} + " + local, {value(rows)}}});
      loop.body.push_back(barrier);
    }
    loop.body.push_back(store(output, rows));
    if (random.chance(50))
      loop.body.push_back(barrier);
    body.push_back(std::move(loop));
  } else if (random.chance(20)) {
    Statement branch{{"if M > 3:"}};
    branch.body.push_back(store(output, rows));
    branch.body.push_back(barrier);
    if (!locals.empty() && random.chance(50)) {
      const std::string &local = random.pick(locals);
      branch.body.push_back({{local + " = {} - " + local, {value(rows)}}});
    }
    body.push_back(std::move(branch));
  } else {
    body.push_back(store(output, rows));
  }
  body.push_back(barrier);
  written.push_back(output);
}

Program GridGenerator::generate() {
  kind = {"RC", random.pick({DType::FP32, DType::Int32, DType::FP16})};
  program.tiles = {{'R', random.pick({1, 3, 4, 8})}, {'C', 8}, {'K', 4}};
  size = std::to_string(program.tiles['R']);
  numBlocks = "((M + " + size + " - 1) // " + size + ")";
  written = {"x"};
  program.parameters.push_back({"x", kind});
  Statement grid{{"for b in pl.spmd(" + numBlocks + "):"}};
  for (int64_t left = random.number(1, 4); left > 0; --left)
    phase(grid.body);
  program.body.push_back(std::move(grid));
  return std::move(program);
}
