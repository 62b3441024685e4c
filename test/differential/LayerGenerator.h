// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matmuls of 16-bit and 8-bit matrices, and of FP32 that may be rounded to
/// TF32, and what layers do with them: what runs on tensor cores must find out
/// which of them are such. Tensors hold quarters, which no rounding changes.

#ifndef TEGULA_TEST_DIFFERENTIAL_LAYERGENERATOR_H
#define TEGULA_TEST_DIFFERENTIAL_LAYERGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// Makes one program from a seed.
class LayerGenerator {
public:
  explicit LayerGenerator(uint64_t seed) : random(seed) {}

  Program generate();

private:
  std::string operand(const char *tensor, const std::string &down,
                      const std::string &across, bool isTransposed) const;
  std::string result(std::string sums, const std::string &down,
                     const std::string &across);
  /// The type of sums, and FP32 that is made of them.
  std::string sumType() const { return hasIntegers ? "pl.INT32" : "pl.FP32"; }
  std::string asFloats(const std::string &sums) const {
    return hasIntegers ? "pl.cast(" + sums + ", pl.FP32)" : sums;
  }
  /// What may be rounded, as an argument of a matmul of such operands.
  std::string choosePrecision(DType operand);
  void addWhole();
  void addTiles();
  void addStores(std::vector<Statement> &body, const std::string &sums,
                 const std::string &down, const std::string &across);

  Random random;
  Program program;
  bool isLeftTransposed = false, isRightTransposed = false;
  /// How operands are taken, as arguments of a matmul.
  std::string flags;
  DType wanted = DType::FP32;
  /// Whether sums are integers.
  bool hasIntegers = false;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_LAYERGENERATOR_H
