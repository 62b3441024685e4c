// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that begin as one number and are read where they lie, by loops of no
// iteration, of one and of several.

#include "test/differential/CarryGenerator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace tegula::differential;

/// A new value of what is there, most often of the value itself.
Expr CarryGenerator::stepFrom(const std::string &name) {
  Expr before{name, {}, kind};
  switch (random.number(0, 5)) {
  case 0:
    return changed(std::move(before));
  case 1:
    return {
        "pl.maximum({}, {})", {std::move(before), {value(), {}, kind}}, kind};
  case 2:
    return {"pl.row_expand_sub({}, pl.row_max({}))",
            {std::move(before), {whole(), {}, kind}},
            kind};
  default:
    return {random.pick({"pl.minimum({}, {})", "({} - {})"}),
            {std::move(before), changed({whole(), {}, kind})},
            kind};
  }
}

void CarryGenerator::step(int depth) {
  if (depth > 0 && random.chance(25)) {
    std::string name = fresh("q");
    Statement made{{"for " + name + " in pl.range(" + iterations() + "):"}};
    blocks.push_back(&made.body);
    step(depth - 1);
    blocks.pop_back();
    return block().push_back(std::move(made));
  }
  if (depth > 0 && random.chance(15)) {
    Statement made{{"if M > " + std::to_string(random.number(0, 9)) + ":"}};
    blocks.push_back(&made.body);
    step(depth - 1);
    blocks.pop_back();
    return block().push_back(std::move(made));
  }
  if (random.chance(12))
    return permute();
  const std::string &name = value();
  assign(name, stepFrom(random.chance(80) ? name : value()));
}

std::string CarryGenerator::iterations() {
  return random.pick({"2", "min(M, 1)", "min(M, 2)", "max(M - 5, 0)",
                      "min(N // 4, 3)", "min(N, 3), 1, -1",
                      "M, min(N, M + 1)"});
}

/// Tiles of rows and columns.
void CarryGenerator::generateStarted() {
  program.tiles['R'] = random.pick({3, 4, 9, 16});
  program.tiles['C'] = random.pick({1, 2, 5, 16, 20});
  std::string rows = std::to_string(program.tiles['R']);
  std::string columns = std::to_string(program.tiles['C']);
  std::string sliceText = "[i : i + " + rows + ", j : j + " + columns + "]";
  sourceWindow = sliceText;
  Statement down{{std::string("for i in ") +
                  random.pick({"pl.range", "pl.parallel"}) + "(0, M, " + rows +
                  "):"}};
  Statement across{{"for j in pl.range(0, N, " + columns + "):"}};
  blocks.push_back(&across.body);
  for (const std::string &name : values)
    assign(name, random.chance(75)
                     ? Expr{"pl.full([" + rows + ", " + columns +
                            "], dtype=pl." + getName(kind.dtype).str() +
                            ", value=" + random.pick({"0", "1", "-3"}) + ")"}
                     : first());
  Statement around{
      {"for " + fresh("q") + " in pl.range(" + iterations() + "):"}};
  blocks.push_back(&around.body);
  for (int64_t left = random.number(1, 4); left > 0; --left)
    step(2);
  blocks.pop_back();
  block().push_back(std::move(around));
  for (size_t index = 0; index < values.size(); ++index)
    emit(outputs[index] + sliceText + " = " + values[index]);
  blocks.pop_back();
  down.body.push_back(std::move(across));
  block().push_back(std::move(down));
}
