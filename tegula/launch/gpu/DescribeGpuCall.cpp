// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/DescribeGpuCall.h"

#include "tegula/launch/gpu/abi/MatmulAbi.h"
#include "tegula/launch/gpu/variants/GpuTiles.h"
#include "tegula/launch/gpu/variants/MatmulOfCall.h"

#include <algorithm>

using namespace tegula;

/// What multiplies such a type.
static GpuCores coresOf(GpuOperandType type) {
  switch (getKind(type)) {
  case GpuOperandKind::Ordinary:
    return GpuCores::Ordinary;
  case GpuOperandKind::Word:
    return GpuCores::TensorTf32;
  case GpuOperandKind::Half:
    return GpuCores::Tensor;
  default:
    return GpuCores::TensorBytes;
  }
}

/// " in TF32, as asked: ", or just ": ".
static std::string describeRounding(GpuElement element, MatmulCode code) {
  const char *words = getRoundingWords(element, code);
  return words ? std::string(" ") + words + ", as asked: " : ": ";
}

/// "is copied first: it becomes FP16"
static std::string describeConversion(GpuElement element, MatmulCode code) {
  return "is copied first: it becomes " +
         getName(getDType(getOperandType(element, code))).str();
}

namespace {

/// Goes the way that launches go, and says what it sees. What a variant cannot
/// take is remembered for the one that does.
class Describer {
public:
  Describer(const GpuProgram &program, const int64_t *slots,
            const GpuChip &chip)
      : program(program), slots(slots), chip(chip) {}

  GpuCallDescription describe() {
    if (!describeMatmul() && !describeAttention() && !describeRows())
      describePlain();
    return std::move(made);
  }

private:
  const int64_t *at(int64_t tensor) const {
    return slots + program.tensors[tensor].slot;
  }

  void say(const std::string &line) {
    made.text += (made.text.empty() ? "" : "\n") + line;
  }

  /// Whether some of the codes are for the chip.
  bool hasCode(const std::vector<GpuCode> &codes) const {
    return findGpuCode(codes, 10 * chip.major + chip.minor);
  }

  /// "4096 x 512 x 1000 in 32 tiles of 128 x 128 for 132 SMs"
  std::string describeTiles(const GpuMatmulCall &call, int64_t count,
                            int64_t rows, int64_t columns) const {
    return std::to_string(call.left.rows) + " x " +
           std::to_string(call.left.columns) + " x " +
           std::to_string(call.right.columns) + " in " + std::to_string(count) +
           " tiles of " + std::to_string(rows) + " x " +
           std::to_string(columns) + " for " + std::to_string(chip.numSMs) +
           " SMs";
  }

  bool refuse(const char *what, const char *obstacle) {
    say(std::string("not ") + what + ": " + obstacle);
    return false;
  }

  bool describeMatmul() {
    if (!program.matmul)
      return false;
    constexpr const char *what = "as a matmul with tuned code";
    const GpuMatmul &matmul = *program.matmul;
    MatmulOfCall found(program, slots);
    if (const char *obstacle = found.findObstacle())
      return refuse(what, obstacle);
    const GpuMatmulCall &call = found.call;
    bool isOwn = hasCode(program.matmulCodes);
    if (!isOwn && !hasCode(program.tileCodes))
      return refuse(what, "there is no code of it for the chip");
    if (!isOwn)
      return describeTiled(matmul, call) ||
             refuse(what, "there are too many tiles");
    GpuMatmulSchedule schedule =
        call.chooseSchedule(matmul, chip.numSMs, /*hasClusters=*/true);
    made.cores = coresOf(call.getType());
    int64_t rows = schedule.split ? tegulaSplitRows : tegulaMatmulRows;
    say("a matmul on tensor cores" +
        describeRounding(matmul.element, MatmulCode::Hopper) +
        describeTiles(call, call.countTiles(schedule), rows, schedule.columns) +
        (schedule.split > 1
             ? ", " + std::to_string(schedule.split) + " of which share a tile"
         : schedule.isPingPong ? ", with ping-pong warpgroups"
                               : "") +
        (schedule.cluster > 1 ? "; two blocks share copies of the rhs" : ""));
    sayCopy("lhs", call, call.left);
    sayCopy("rhs", call, call.getRightRows(schedule.split != 0));
    if (getKind(call.getType()) == GpuOperandKind::Word &&
        call.isAcross(schedule.split != 0))
      say("  and transposed in shared memory: tensor cores take it with what "
          "is "
          "summed up side by side");
    return true;
  }

  /// Matmuls in tiles, on chips since sm_80.
  bool describeTiled(const GpuMatmul &matmul, const GpuMatmulCall &call) {
    constexpr MatmulCode code = MatmulCode::Tiles;
    GpuOperandType type = getOperandType(matmul.element, code);
    GpuTilePlan plan = planTiles(type, call.left.rows, call.right.columns,
                                 call.left.columns, chip.numSMs);
    if (plan.countBlocks() > INT32_MAX)
      return false;
    made.cores = coresOf(type);
    say(std::string("a tiled matmul") +
        (made.cores != GpuCores::Ordinary ? " on tensor cores" : "") +
        describeRounding(matmul.element, code) +
        describeTiles(call, plan.tiles, plan.tile->rows, plan.tile->columns));
    if (plan.splits > 1)
      say("  " + std::to_string(plan.splits) +
          " blocks split the K axis of a tile: there are few tiles");
    GpuTileOperands operands(call);
    sayTileCopy("lhs", matmul.element, operands.isLeftCopied,
                operands.isLeftByWords);
    sayTileCopy("rhs", matmul.element, operands.isRightCopied,
                operands.isRightByWords);
    return true;
  }

  void sayTileCopy(const char *side, GpuElement element, bool isCopied,
                   bool isByWords) {
    std::string start = std::string("  the ") + side + " ";
    if (isByWords)
      say(start + "is read word by word, which is slower: its rows do not "
                  "begin at multiples of 16 bytes, or its elements lie apart");
    else if (!isCopied)
      say(start + "is read in place");
    else if (isConverted(element, MatmulCode::Tiles))
      say(start + describeConversion(element, MatmulCode::Tiles));
    else
      say(start + "is copied first: its rows do not begin at multiples of 16 "
                  "bytes, or its elements lie apart");
  }

  void sayCopy(const char *side, const GpuMatmulCall &call,
               const GpuMatrix &matrix) {
    std::string start = std::string("  the ") + side + " ";
    if (call.isConverted())
      say(start + describeConversion(call.element, MatmulCode::Hopper));
    else if (!matrix.hasBoxes() && matrix.transposed().hasBoxes())
      say(start +
          "is copied first, transposed: tensor cores take it with what is "
          "summed up side by side");
    else if (!matrix.hasBoxes())
      say(start + "is copied first: its rows do not begin at multiples of 16 "
                  "bytes, or they overlap, or its elements lie apart");
    else
      say(start + "is read in place");
  }

  bool describeAttention() {
    if (!program.attention)
      return false;
    constexpr const char *what = "as attention on tensor cores";
    if (!hasCode(program.matmulCodes))
      return refuse(what, "there is no code of it for the chip");
    const GpuAttention &attention = *program.attention;
    GpuAttentionCall call(attention, at(attention.queries), at(attention.keys),
                          at(attention.values), at(attention.result), slots);
    if (const char *obstacle = call.findObstacle())
      return refuse(what, obstacle);
    made.cores = GpuCores::Tensor;
    say("attention on tensor cores: " + std::to_string(call.countTiles()) +
        " tiles of " + std::to_string(tegulaAttentionQueries(call.headSize)) +
        " queries for " + std::to_string(chip.numSMs) + " SMs");
    return true;
  }

  bool describeRows() {
    if (!program.rows || program.matmul)
      return false;
    constexpr const char *what = "with rows in registers";
    GpuRowCall call(*program.rows, program.tensors, slots);
    if (call.rows <= 0 || call.columns <= 0)
      return refuse(what, "there are no elements");
    if (!call.hasRows())
      return refuse(what, "the columns of a tensor lie apart");
    std::optional<GpuRowLaunch> launch =
        planRows(*program.rows, program.tensors, slots, program.numSlots,
                 chip.numSMs, program.threads);
    if (!launch)
      return refuse(what, "rows have too many columns, or there are too many");
    const GpuRowVariant &variant = program.rows->variants[launch->variant];
    say(std::string("rows in registers: ") +
        (launch->slots.empty() ? "" : "all rows are seen as one, ") +
        (variant.isByWarp ? "a warp" : "a block") + " has " +
        (program.rows->hasReductions ? "a row, " : "a chunk of a row, ") +
        "each thread " + std::to_string(variant.groups * variant.elements) +
        " elements; " + std::to_string(launch->blocks) + " blocks of " +
        std::to_string(launch->threads) + " threads");
    sayAlignment(variant);
    return true;
  }

  void sayAlignment(const GpuRowVariant &variant) {
    std::string count = variant.elements == 8 ? "eight" : "four";
    switch (variant.alignment) {
    case GpuRowAlignment::Aligned:
      return say("  " + count + " elements are read at once");
    case GpuRowAlignment::Shifted:
      return say("  " + count +
                 " elements are read at once but at the edges of rows, which "
                 "are not at multiples of " +
                 count);
    case GpuRowAlignment::Single:
      return say("  elements are read one by one: rows do not begin at "
                 "multiples of " +
                 count + ", nor all aligned alike between them");
    }
  }

  void describePlain() {
    say("the fallback: blocks of " + std::to_string(program.threads) +
        " threads share out parallel loops" +
        (program.hasGridBarrier ? ", with a grid barrier between them" : ""));
  }

  const GpuProgram &program;
  const int64_t *slots;
  const GpuChip &chip;
  GpuCallDescription made;
};

} // namespace

GpuCallDescription tegula::describeGpuCall(const GpuProgram &program,
                                           const int64_t *slots,
                                           const GpuChip &chip) {
  return Describer(program, slots, chip).describe();
}
