// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A generated kernel as a tree that can be printed as source and taken apart
/// again: the reducer deletes statements and replaces expressions.

#ifndef TEGULA_TEST_DIFFERENTIAL_PROGRAM_H
#define TEGULA_TEST_DIFFERENTIAL_PROGRAM_H

#include "tegula/support/DType.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tegula::differential {

/// What an expression is: a tile of some axes, "s" for a scalar, "i" for an
/// index. Axes are letters: R, C, K and P stand for the symbols M, N, K and NR,
/// digits for themselves.
struct Kind {
  std::string axes;
  DType dtype = DType::FP32;

  bool operator==(const Kind &other) const {
    return axes == other.axes && dtype == other.dtype;
  }
};

/// Text in which each "{}" stands for an operand.
struct Expr {
  std::string text;
  std::vector<Expr> operands = {};
  Kind kind = {};
  /// False if two orders of evaluation may round differently.
  bool isExact = true;

  std::string print() const;
};

/// One line and what is indented below it.
struct Statement {
  Expr line;
  std::vector<Statement> body = {};
};

/// A parameter; a scalar if it has no axes.
struct Parameter {
  std::string name;
  Kind kind;
  bool isWritten = false;
  /// False for an output that may hold rounded results, and is read as such.
  bool isExact = true;

  bool isScalar() const { return kind.axes == "s" || kind.axes == "i"; }
};

/// The extent of an axis that follows from another one: `2 * N`, `M - 2`,
/// `N // 2`.
struct ComputedExtent {
  char axis;
  int64_t times = 1, plus = 0, over = 1;

  int64_t of(int64_t extent) const { return (times * extent + plus) / over; }
};

/// A whole kernel.
struct Program {
  std::vector<Parameter> parameters;
  /// Helper functions, as text.
  std::string helpers;
  std::vector<Statement> body;
  /// Axes that are integers in the annotations.
  std::map<char, int> fixed;
  /// Axes whose extents are computed, by letters of their own.
  std::map<char, ComputedExtent> computed;
  /// The tile of each axis; sizes around them are tried.
  std::map<char, int> tiles;
  /// Sizes of axes that are tried instead of those.
  std::map<char, std::vector<int64_t>> sizes;
  /// A host program, which several ranks run.
  bool isOverRanks = false;

  /// How an axis is written in a shape.
  std::string nameOf(char axis) const;
  /// The kernel `k` in a file of its own.
  std::string print() const;
  /// Its body alone, so deep.
  std::string printBody(unsigned depth) const;

private:
  std::string nameOfComputed(const ComputedExtent &extent) const;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_PROGRAM_H
