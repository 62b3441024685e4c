// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loops with several matmuls of which one takes what another one gives:
/// attention over blocks of keys, chains, and the rows of an online softmax by
/// themselves. The methods are split into files: AttentionGenerator (attention)
/// and AttentionChains (the others).

#ifndef TEGULA_TEST_DIFFERENTIAL_ATTENTIONGENERATOR_H
#define TEGULA_TEST_DIFFERENTIAL_ATTENTIONGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// Makes one program from a seed.
class AttentionGenerator {
public:
  explicit AttentionGenerator(uint64_t seed) : random(seed) {}

  Program generate();

private:
  using Lines = std::vector<Statement>;

  // Attention.
  void chooseVariant();
  void declareAttention();
  void addAttention();
  std::string windowOf(const std::string &tensor, const std::string &part);
  std::string keysAt(const std::string &part);
  std::string bias(const std::string &down, const std::string &across);
  Statement loopOverKeys();
  void addKeyBlock(Lines &body);
  void addScores(Lines &body);
  void addMask(Lines &body);
  void addOnline(Lines &body);
  void addTwoPasses(Lines &body);
  void addWithoutMaximum(Lines &body);
  Statement accumulate(const std::string &faded);
  void addStores(Lines &body);

  // Chains.
  void addChain();
  void addWholeChain();
  void addChunkedState();
  void addOnlineRows();
  std::string activated(const std::string &tile);
  Statement blocks(const char *variable, char axis, int64_t length);

  std::string narrowed(const std::string &tile) const;
  void matrix(const char *name, const char *axes, DType dtype,
              bool isWritten = false);

  Random random;
  Program program;
  /// What the operands of matmuls are of.
  DType element = DType::FP32;
  /// How many rows and how many keys an iteration has.
  int64_t rows = 16, keys = 8;
  /// Columns of the result, and where the first row is among the keys.
  std::string width, past;
  bool hasBatches = false, isPaged = false, hasTransposedKeys = false;
  bool isCausal = false, hasWindow = false, roundsWeights = false;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_ATTENTIONGENERATOR_H
