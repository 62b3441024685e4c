// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matmuls of all types that have about as many rows and columns as strips
/// and panels have, a few more or less, and are short or long along the inner
/// axis; of whole matrices, of tiles, and of batches.

#ifndef TEGULA_TEST_DIFFERENTIAL_PANELGENERATOR_H
#define TEGULA_TEST_DIFFERENTIAL_PANELGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// Makes one program from a seed. Numbers are such that sums are exact.
class PanelGenerator {
public:
  explicit PanelGenerator(uint64_t seed) : random(seed) {}

  Program generate();

private:
  void chooseTypes();
  void chooseSizes();
  std::string lhsOf(const std::string &down, const std::string &along) const;
  std::string rhsOf(const std::string &along, const std::string &across) const;
  std::string changed(const std::string &sums, const std::string &subscript);
  void addWhole();
  void addRows();
  void addTiles();
  void addBatches();

  Random random;
  Program program;
  DType left = DType::FP32, right = DType::FP32, sum = DType::FP32;
  bool isLeftTransposed = false, isRightTransposed = false;
  /// How operands are taken, as arguments of a matmul.
  std::string flags;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_PANELGENERATOR_H
