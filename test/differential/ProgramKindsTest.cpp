// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was once compiled wrongly is a kind of program that generators make, at
// any seed.

#include "test/differential/Theme.h"

#include "llvm/Support/Regex.h"
#include "gtest/gtest.h"
#include <array>

using namespace tegula::differential;

namespace {

/// Kinds that a theme makes at least once in so many programs.
struct Kinds {
  Theme theme;
  std::vector<const char *> patterns;
};

} // namespace

static constexpr uint64_t numPrograms = 200;
static constexpr std::array<uint64_t, 3> seeds = {1, 77790179, 1ULL << 40};

/// The patterns in order, each after the one before it, anywhere in the text.
static const Kinds attention = {
    Theme::Attention,
    {
        // Two matmuls in one loop, with maxima that a loop carries.
        "for j .*\n(.*\n)*.*s = pl\\.matmul.*\n(.*\n)*.*pl\\.row_max.*\n(.*\n)*"
        ".*pl\\.exp.*\n(.*\n)*.*pl\\.matmul",
        "pl\\.matmul_acc\\(o \\* f",
        "o \\* f \\+ pl\\.matmul",
        "row_expand_mul",
        "a <= d",
        "a > d - 9",
        "pl\\.tanh\\(s",
        "s = s \\+ b\\[",
        "t\\[j //",
        "for h in",
        "pl\\.arange\\(n \\+ i",
        "pl\\.arange\\(N - M \\+ i",
        "pl\\.pipeline",
        "pl\\.cast\\(p, pl\\.BF16",
        "pl\\.cast\\(p, pl\\.FP16",
        "init_cond=",
        "pl\\.gelu",
        "pl\\.rms_norm",
        "pl\\.softmax",
        "pl\\.exp\\(m - g\\) \\+ pl\\.row_sum",
        "a_trans=True",
        "pl\\.tri\\(",
        // Extents that nothing bounds.
        "o = pl\\.full\\(\\[[0-9]+, K\\]",
        // Faded by something else than what the maximum changed by.
        "f = (pl\\.exp\\(m - m|pl\\.exp\\(g - g|0\\.5)",
    }};
static const Kinds edges = {Theme::Edges,
                            {
                                // Integers.
                                "// -1\\)",
                                "% -1\\)",
                                "pl\\.div\\(.*, -1\\)",
                                "// 0\\)",
                                "<< (32|33|64|8|9|16|17|65)",
                                ">> (32|33|64|8|9|16|17|65)",
                                "pl\\.pow",
                                "pl\\.fmod",
                                "pl\\.abs",
                                "9223372036854775807",
                                "\\(s (//|%|\\*|-)",
                                // Floats.
                                "INF",
                                "NAN",
                                "1e-45|1e-40|5e-324",
                                "1e40|3e38",
                                "-0\\.0",
                                "pl\\.log1p|pl\\.expm1",
                                "pl\\.gelu",
                                "pl\\.layer_norm|pl\\.rms_norm",
                                "pl\\.isnan|pl\\.isinf|pl\\.isfinite",
                                "pl\\.fmax|pl\\.fmin",
                                "saturation_mode",
                                "\\* 1e19|\\* 1e30",
                                "pl\\.Scalar\\[pl\\.(FP|BF)",
                                // Axes.
                                "Tensor\\[\\[([^]]*, )?0[],]",
                                "Tensor\\[\\[([^]]*, )?1[],]",
                                "Tensor\\[\\[[^],]*,[^],]*,[^],]*,[^],]*\\]",
                                "Tensor\\[\\[[^],]*,[^],]*,[^],]*\\]",
                                "pl\\.matmul",
                                // Counts, orders, places.
                                "pl\\.(row_)?sum\\(\\(x",
                                "pl\\.cumsum\\(\\(x",
                                "pl\\.topk",
                                "pl\\.sort32",
                                "pl\\.mrgsort\\(p, q\\)",
                                "pl\\.mrgsort\\(p, block_len=64\\)",
                                "pl\\.mscatter\\(x, b % [123]",
                                "pl\\.mscatter\\(x, n % [123]",
                                "atomic=",
                                "pl\\.segment_",
                                // Extents that are computed.
                                "\\[\\[M - 2, N\\]",
                                "\\[\\[M, 2 \\* N\\]",
                                "pl\\.assume",
                            }};
static const Kinds expressions = {
    Theme::Expressions,
    {"pl\\.gather", "pl\\.scatter", "while ", "break", "pl\\.fillpad",
     "valid_shape=", "pl\\.sort\\(", "pl\\.create_tensor"}};

static void countKinds(const Kinds &kinds, uint64_t seed) {
  std::vector<unsigned> counts(kinds.patterns.size());
  for (uint64_t number = seed; number < seed + numPrograms; ++number) {
    std::string text = makeProgram(kinds.theme, number).print();
    for (size_t kind = 0; kind < counts.size(); ++kind)
      counts[kind] +=
          llvm::Regex(kinds.patterns[kind], llvm::Regex::Newline).match(text);
  }
  for (size_t kind = 0; kind < counts.size(); ++kind)
    EXPECT_GT(counts[kind], 0u) << kinds.patterns[kind] << ", seed " << seed;
}

TEST(ProgramKinds, AttentionHasMatmulsOfMatmuls) {
  for (uint64_t seed : seeds)
    countKinds(attention, seed);
}

TEST(ProgramKinds, EdgesHaveLimitsOfEveryType) {
  for (uint64_t seed : seeds)
    countKinds(edges, seed);
}

TEST(ProgramKinds, ExpressionsHaveEveryStatement) {
  for (uint64_t seed : seeds)
    countKinds(expressions, seed);
}

/// A seed says all: a failure can be repeated.
TEST(ProgramKinds, OneNumberIsOneProgram) {
  for (Theme theme : {Theme::Attention, Theme::Edges, Theme::Expressions})
    for (uint64_t number = 1; number < 20; ++number)
      EXPECT_EQ(makeProgram(theme, number).print(),
                makeProgram(theme, number).print());
}
