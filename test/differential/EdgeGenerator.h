// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Short kernels about what lies at an edge: limits of integers, special
/// floats, shifts by the width, casts out of range, axes of extent 0 and 1,
/// counts beyond a type's limit, rows shorter than what is asked of them. The
/// methods are split into files: EdgeGenerator (programs, integers),
/// EdgeFloats, EdgeShapes (axes), EdgeOrders (sorts, counts, scatters, extents
/// that are computed).

#ifndef TEGULA_TEST_DIFFERENTIAL_EDGEGENERATOR_H
#define TEGULA_TEST_DIFFERENTIAL_EDGEGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// Makes one program from a seed. Its floats agree bit for bit unless one of
/// the functions that round is in the text.
class EdgeGenerator {
public:
  explicit EdgeGenerator(uint64_t seed) : random(seed) {}

  Program generate();

private:
  // Integers and floats, element by element.
  void declareElements();
  void addElements();
  Statement elementwise();
  std::string operand();
  std::string column();
  std::string integerConstant();
  std::string floatConstant();
  std::string integerValue();
  std::string floatValue();
  std::string tamed(const std::string &tile);
  std::string mathValue();
  Statement castFrom(const std::string &value);
  Statement alongRows();
  std::string window(const char *tensor) {
    return tensor + ("[" + down + ", :]");
  }

  // Axes.
  void addAxes();
  std::string randomAxes();
  Statement alongAxis(const std::string &axes);
  void addAxesStatement(const std::string &axes);
  void addBatches();

  // Orders, counts, scatters, extents.
  void addCounts();
  void addTops();
  void addMergedSorts();
  void addScatters();
  void addExtents();

  void matrix(const char *name, const std::string &axes, DType type,
              bool isWritten = false) {
    program.parameters.push_back({name, {axes, type}, isWritten});
  }

  Random random;
  Program program;
  /// Of what is computed, and of another result.
  DType dtype = DType::Int32, other = DType::Int32;
  /// Rows of an iteration.
  std::string down = ":";
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_EDGEGENERATOR_H
