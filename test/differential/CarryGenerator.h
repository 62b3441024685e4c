// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes kernels in which values go around loops and through branches while
/// their extents change: they are cut, swapped, rotated and made anew. An
/// extent is never more than that of the axis it began with, so that every
/// value fits the tensors that it is stored to.

#ifndef TEGULA_TEST_DIFFERENTIAL_CARRYGENERATOR_H
#define TEGULA_TEST_DIFFERENTIAL_CARRYGENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"

namespace tegula::differential {

/// Makes one program from a seed.
class CarryGenerator {
public:
  explicit CarryGenerator(uint64_t seed) : random(seed) {}

  Program generate();

private:
  // Programs.
  void declareParameters();
  void declareHelpers();
  void generateWhole();
  void generateTiled();
  void generateStarted();

  // Statements, appended to `block`.
  std::vector<Statement> &block() { return *blocks.back(); }
  void emit(std::string text) { block().push_back({{std::move(text)}}); }
  void assign(const std::string &name, Expr value);
  void statement(int depth);
  void cut();
  void cutByHelper();
  void change();
  void rename();
  void permute();
  void combine();
  void renew();
  void count();
  void leave();
  void store(size_t index);
  void branch(int depth);
  void loop(int depth);
  void whileLoop(int depth);
  void carryingLoop();
  void step(int depth);
  void fillBlock(Statement &owner, int depth, bool isLoop);

  // Values.
  const std::string &value() { return random.pick(values); }
  std::string fresh(const char *prefix) {
    return prefix + std::to_string(++numNames);
  }
  std::string extent(const std::string &name, size_t axis);
  std::string shorter(const std::string &name, size_t axis);
  std::string window(const std::vector<std::string> &parts);
  std::string whole();
  Expr cutOf(const std::string &name);
  Expr first();
  Expr changed(Expr value);
  Expr stepFrom(const std::string &name);
  /// What a loop ranges over.
  std::string iterations();
  std::string index();
  std::string condition();

  Random random;
  Program program;
  Kind kind;
  std::vector<std::string> values, outputs, indices;
  std::vector<std::vector<Statement> *> blocks;
  /// The window of the source that values begin with; none is all of it.
  std::string source, sourceWindow;
  bool hasHelper = false, hasPairHelper = false, hasCount = false;
  int numLoops = 0, numNames = 0;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_CARRYGENERATOR_H
