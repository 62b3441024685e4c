// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/AttentionGenerator.h"

using namespace tegula;
using namespace tegula::differential;

static std::string part(const char *index, int64_t length) {
  return std::string(index) + " : " + index + " + " + std::to_string(length);
}

void AttentionGenerator::matrix(const char *name, const char *axes, DType dtype,
                                bool isWritten) {
  std::string all = hasBatches ? "2" + std::string(axes) : axes;
  program.parameters.push_back({name, {all, dtype}, isWritten});
}

/// Rows of a tensor, of the batch of an iteration if there are batches.
std::string AttentionGenerator::windowOf(const std::string &tensor,
                                         const std::string &part) {
  return tensor + (hasBatches ? "[h, " : "[") + part + ", :]";
}

std::string AttentionGenerator::keysAt(const std::string &part) {
  if (!hasTransposedKeys)
    return windowOf("c", part) + ", b_trans=True";
  return std::string("c") + (hasBatches ? "[h, :, " : "[:, ") + part + "]";
}

/// As the operands of matmuls are.
std::string AttentionGenerator::narrowed(const std::string &tile) const {
  return element == DType::FP32
             ? tile
             : "pl.cast(" + tile + ", pl." + getName(element).str() +
                   ", mode=\"rint\")";
}

void AttentionGenerator::chooseVariant() {
  rows = random.pick({4, 4, 4, 4, 8, 8, 16, 32});
  keys = random.pick({4, 4, 4, 8, 8, 16});
  hasBatches = random.chance(25);
  isPaged = !hasBatches && random.chance(20);
  hasTransposedKeys = random.chance(25);
  isCausal = random.chance(50);
  hasWindow = random.chance(25);
  // What is rounded again is rounded to the type of the result.
  roundsWeights = element != DType::FP32;
  for (auto [axis, percent] : {std::pair('K', 60), {'C', 15}, {'R', 15}})
    if (random.chance(percent))
      // No block is longer than what is known of an axis.
      program.fixed[axis] =
          axis == 'K' ? random.pick({8, 8, 8, 16}) : random.pick({32, 33, 40});
  past = random.pick<std::string>(
      {"0", program.nameOf('C') + " - " + program.nameOf('R'), "n"});
  program.sizes['R'] = {0, 1, rows - 1, rows, rows + 1, 2 * rows + 3, 17};
  program.sizes['C'] = {0, 1, keys - 1, keys, keys + 1, 3 * keys + 2, 40, 65};
  program.sizes['K'] = {0, 1, 3, 8, 16, 17, 33};
}

void AttentionGenerator::declareAttention() {
  bool isSquare = random.chance(60);
  width = isSquare ? program.nameOf('K') : "8";
  matrix("q", "RK", element);
  matrix("c", hasTransposedKeys ? "KC" : "CK", element);
  matrix("v", isSquare ? "CK" : "C8", element);
  program.parameters.push_back(
      {"b", {random.pick<std::string>({"RC", "RC", "1C", "R1"}), DType::FP32}});
  program.parameters.push_back({"t", {"C", DType::Int32}});
  program.parameters.push_back({"r", {"s", DType::FP32}});
  program.parameters.push_back({"n", {"i", DType::Index}});
  matrix("y", isSquare ? "RK" : "R8", element, /*isWritten=*/true);
  matrix("z", "R1", DType::FP32, /*isWritten=*/true);
}

/// A part of what is added to scores.
std::string AttentionGenerator::bias(const std::string &down,
                                     const std::string &across) {
  for (const Parameter &parameter : program.parameters)
    if (parameter.name == "b")
      return "b[" + (parameter.kind.axes[0] == '1' ? ":" : down) + ", " +
             (parameter.kind.axes[1] == '1' ? ":" : across) + "]";
  return "0.0";
}

Statement AttentionGenerator::loopOverKeys() {
  std::string step = std::to_string(keys), all = program.nameOf('C');
  std::string first = "0", last = all;
  if (isCausal && random.chance(60))
    last = "min(" + past + " + i + " + std::to_string(rows) + ", " + all + ")";
  if (hasWindow && random.chance(60))
    first = "max(0, " + past + " + i - 9) // " + step + " * " + step;
  std::string kind = random.chance(20) ? "pl.pipeline" : "pl.range";
  std::string stage = kind == "pl.pipeline" ? ", stage=2" : "";
  return {{"for j in " + kind + "(" + first + ", " + last + ", " + step +
           stage + "):"}};
}

/// Which keys an iteration has: a page that the table names, or the next ones.
void AttentionGenerator::addKeyBlock(Lines &body) {
  std::string step = std::to_string(keys);
  if (isPaged)
    body.push_back({{"e = pl.cast(t[j // " + step + "], pl.INDEX) % pl.cdiv(" +
                     program.nameOf('C') + ", " + step + ") * " + step}});
}

void AttentionGenerator::addMask(Lines &body) {
  std::string height = std::to_string(rows), length = std::to_string(keys);
  std::string lowest = random.pick({"-1e30", "-1e30", "-10000.0"});
  Lines mask = {{{"d = pl.reshape(pl.arange(" + past + " + i, [1, " + height +
                  "], pl.INT32), [" + height + ", 1])"}},
                {{"a = pl.arange(j, [1, " + length + "], pl.INT32)"}}};
  std::string seen = isCausal ? "a <= d" : "a >= d - 8";
  if (isCausal && hasWindow)
    seen =
        random.pick({"pl.and_(a <= d, a > d - 9)", "(a <= d) & (a > d - 9)"});
  mask.push_back({{"s = pl.sel(" + seen + ", s, " + lowest + ")"}});
  if (isCausal && !hasWindow && random.chance(50)) {
    Statement guard{{"if j + " + length + " > " + past + " + i + 1:"}};
    guard.body = std::move(mask);
    body.push_back(std::move(guard));
    return;
  }
  body.insert(body.end(), mask.begin(), mask.end());
}

/// Scores of an iteration's rows and keys, in `s`.
void AttentionGenerator::addScores(Lines &body) {
  addKeyBlock(body);
  std::string scores =
      "pl.matmul(" +
      random.pick<std::string>({"u", "u", windowOf("q", part("i", rows))}) +
      ", " + keysAt(part(isPaged ? "e" : "j", keys)) + ", out_dtype=pl.FP32)";
  // Of BF16, weights are no subnormals, which some processors take for 0.
  body.push_back(
      {{"s = " + scores +
        (element == DType::BF16 ? " * 0.0625"
                                : random.pick({"", " * r", " * 0.25"}))}});
  if (random.chance(30))
    body.push_back({{"s = s + " + bias(part("i", rows), part("j", keys))}});
  if (random.chance(20))
    body.push_back({{random.pick(
        {"s = pl.tanh(s * 0.25) * 4.0", "s = pl.minimum(s, 8.0)"})}});
  if (isCausal || hasWindow)
    addMask(body);
}

/// The result so far, faded, and what the weights `p` add to it.
Statement AttentionGenerator::accumulate(const std::string &faded) {
  std::string weights = roundsWeights ? narrowed("p") : "p";
  std::string values = windowOf("v", part(isPaged ? "e" : "j", keys));
  if (random.chance(50))
    return {
        {"o = pl.matmul_acc(" + faded + ", " + weights + ", " + values + ")"}};
  return {{"o = " + faded + " + pl.matmul(" + weights + ", " + values +
           ", out_dtype=pl.FP32)"}};
}

void AttentionGenerator::addOnline(Lines &body) {
  Statement loop = loopOverKeys();
  addScores(loop.body);
  loop.body.push_back({{"g = pl.maximum(m, pl.row_max(s))"}});
  loop.body.push_back({{random.pick(
      {"p = pl.exp(s - g)", "p = pl.exp(pl.row_expand_sub(s, g))"})}});
  // Nearly online: what was summed is faded by something else.
  std::string fade =
      random.chance(85)
          ? "pl.exp(m - g)"
          : random.pick({"pl.exp(m - m)", "pl.exp(g - g)", "0.5"});
  loop.body.push_back({{"f = " + fade}});
  bool isEarly = random.chance(30);
  if (isEarly)
    loop.body.push_back({{"m = g"}});
  Statement sum{{"l = l * f + pl.row_sum(p)"}};
  if (random.chance(10))
    sum = {{"l = l + pl.row_sum(p)"}};
  std::string faded =
      fade == "0.5" || random.chance(60) ? "o * f" : "pl.row_expand_mul(o, f)";
  bool isSumFirst = random.chance(60);
  if (isSumFirst)
    loop.body.push_back(sum);
  loop.body.push_back(accumulate(faded));
  if (!isSumFirst)
    loop.body.push_back(sum);
  if (!isEarly)
    loop.body.push_back({{"m = g"}});
  body.push_back(std::move(loop));
}

/// The maximum of all scores first, then everything with it.
void AttentionGenerator::addTwoPasses(Lines &body) {
  Statement first = loopOverKeys();
  Statement second = first;
  addScores(first.body);
  second.body = first.body;
  first.body.push_back({{"m = pl.maximum(m, pl.row_max(s))"}});
  second.body.push_back({{"p = pl.exp(s - m)"}});
  second.body.push_back({{"l = l + pl.row_sum(p)"}});
  second.body.push_back(accumulate("o"));
  body.push_back(std::move(first));
  body.push_back(std::move(second));
}

void AttentionGenerator::addWithoutMaximum(Lines &body) {
  Statement loop = loopOverKeys();
  addScores(loop.body);
  loop.body.push_back(
      {{random.pick({"p = pl.exp(pl.minimum(s, 2.0))", "p = pl.sigmoid(s)",
                     "p = pl.maximum(pl.minimum(s, 8.0), 0.0)"})}});
  loop.body.push_back({{"l = l + pl.row_sum(p)"}});
  loop.body.push_back(accumulate("o"));
  if (random.chance(30))
    loop.body.push_back({{"m = pl.maximum(m, pl.row_max(s))"}});
  body.push_back(std::move(loop));
}

void AttentionGenerator::addStores(Lines &body) {
  std::string made = random.pick({"o / l", "pl.row_expand_div(o, l)",
                                  "o * pl.recip(l + 1.0)", "o / l + m * 0.0"});
  body.push_back({{windowOf("y", part("i", rows)) + " = " + narrowed(made)}});
  if (random.chance(40))
    body.push_back({{windowOf("z", part("i", rows)) + " = " +
                     random.pick({"m + pl.log(l)", "l", "m"})}});
}

void AttentionGenerator::addAttention() {
  chooseVariant();
  declareAttention();
  std::string height = std::to_string(rows);
  Statement loop = blocks("i", 'R', rows);
  std::string column = "[" + height + ", 1], dtype=pl.FP32, value=";
  loop.body = {
      {{"u = " + windowOf("q", part("i", rows))}},
      {{"m = pl.full(" + column + random.pick({"-1e30", "-1e20"}) + ")"}},
      {{"l = pl.full(" + column + "0.0)"}},
      {{"o = pl.full([" + height + ", " + width +
        "], dtype=pl.FP32, value=0.0)"}}};
  int64_t variant = random.number(0, 9);
  if (variant < 7)
    addOnline(loop.body);
  else if (variant < 9)
    addTwoPasses(loop.body);
  else
    addWithoutMaximum(loop.body);
  addStores(loop.body);
  if (!hasBatches) {
    program.body.push_back(std::move(loop));
    return;
  }
  Statement batches{{"for h in " +
                     random.pick<std::string>({"pl.parallel", "pl.range"}) +
                     "(2):"}};
  batches.body.push_back(std::move(loop));
  program.body.push_back(std::move(batches));
}

Program AttentionGenerator::generate() {
  program.tiles = {{'R', 16}, {'C', 8}, {'K', 16}};
  element = random.pick(
      {DType::FP32, DType::FP32, DType::FP32, DType::BF16, DType::FP16});
  int64_t kind = random.number(0, 99);
  if (kind < 55)
    addAttention();
  else if (kind < 70)
    addChain();
  else if (kind < 80)
    addWholeChain();
  else if (kind < 88)
    addChunkedState();
  else
    addOnlineRows();
  return std::move(program);
}
