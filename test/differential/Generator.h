// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes random kernels that are well typed and defined at every size. The
/// methods are split into files: Generator (programs, statements),
/// GenerateLoops, GenerateScratch, GenerateValues (leaves, scalars,
/// conditions), GenerateOps and GenerateIndexed (expressions).

#ifndef TEGULA_TEST_DIFFERENTIAL_GENERATOR_H
#define TEGULA_TEST_DIFFERENTIAL_GENERATOR_H

#include "test/differential/Program.h"
#include "test/differential/Random.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace tegula::differential {

/// Makes one program from a seed.
class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed), prints(~seed) {}

  Program generate();

private:
  struct Variable {
    std::string name;
    Kind kind;
    bool isExact = true;
    /// A view of a tensor is not carried around loops.
    bool isView = false;
  };
  /// Where the current tile of an axis starts; no tile means the whole axis.
  struct AxisTile {
    std::string offset = "0";
    int size = 0;
  };
  using Maker = std::optional<Expr> (Generator::*)(const Kind &, int);

  // Programs.
  void declareParameters();
  void declareHelpers();
  void declareContainerHelpers();
  void declareMover();
  void fixAxis();
  void generateTiled();
  std::string nameAxis(char axis) { return program.nameOf(axis); }

  // Statements, appended to `block`.
  std::vector<Statement> &block() { return *blocks.back(); }
  void emit(Expr line) { block().push_back({std::move(line)}); }
  void statement(int depth, int fuel);
  void let();
  void print(const Variable &variable);
  void rebind();
  void swap();
  void augment();
  void readElement();
  void writeElement();
  void view();
  void callTwoResults();
  void callThreeResults();
  void storeBatches();
  void scatterToTensor();
  void overwrite(const std::string &name, const Kind &kind, bool isExact);
  void scratch();
  std::optional<Parameter> wholeOutput();
  void scratchThatIsCopied();
  void partlyWrittenScratch();
  void firstIteration();
  std::string move(const std::string &from, const Kind &kind);
  void store();
  void branch(int depth, int fuel);
  void loop(int depth, int fuel);
  void whileLoop(int depth, int fuel);
  void carryingLoop(int depth, int fuel);
  void fillBlock(Statement &owner, int depth, int fuel, bool isLoop);
  std::vector<Variable> variables() const;
  std::vector<Variable> carried() const;
  std::string fresh(const char *prefix) {
    return prefix + std::to_string(++count);
  }

  // Values.
  Expr constant(DType dtype);
  Expr scalar(DType dtype, int depth = 1);
  Expr condition(int depth = 1);
  std::string indexVariable();
  std::string elementIndex(char axis);
  std::string isNotEmpty(const std::string &axes);
  std::string sizes(const std::string &axes);
  std::string sizeOf(char axis);
  std::string smallSize(char axis);
  bool isTiled(char axis) const;
  bool areTiled(const std::string &axes) const;
  std::string slice(char axis, int shift = 0);
  Expr load(const Parameter &parameter, bool isShifted);
  Expr loadExact(const Parameter &parameter, bool isShifted);
  std::string memory();
  Expr leaf(const Kind &kind);
  Expr convert(Expr value, DType to);
  Expr clamp(Expr value);
  std::vector<Parameter> readable() const;
  std::string randomAxes();
  DType randomDType() { return random.pick(dtypes); }

  // Expressions.
  Expr tile(const Kind &kind, int depth);
  Expr exactTile(const Kind &kind, int depth);
  Expr mask(const std::string &axes, int depth);
  Expr sameTile(const Kind &kind, int depth, bool isExact) {
    return isExact ? exactTile(kind, depth) : tile(kind, depth);
  }
  std::optional<Expr> binary(const Kind &kind, int depth);
  std::optional<Expr> unary(const Kind &kind, int depth);
  std::optional<Expr> math(const Kind &kind, int depth);
  std::optional<Expr> cast(const Kind &kind, int depth);
  std::optional<Expr> select(const Kind &kind, int depth);
  std::optional<Expr> broadcast(const Kind &kind, int depth);
  std::optional<Expr> withScalar(const Kind &kind, int depth);
  std::optional<Expr> reduce(const Kind &kind, int depth);
  std::optional<Expr> transpose(const Kind &kind, int depth);
  std::optional<Expr> matmul(const Kind &kind, int depth);
  std::optional<Expr> pad(const Kind &kind, int depth);
  std::optional<Expr> narrow(const Kind &kind, int depth);
  std::optional<Expr> concat(const Kind &kind, int depth);
  std::optional<Expr> assemble(const Kind &kind, int depth);
  std::optional<Expr> mixed(const Kind &kind, int depth);
  std::optional<Expr> helper(const Kind &kind, int depth);
  std::optional<Expr> container(const Kind &kind, int depth);
  std::optional<Expr> rankOne(const Kind &kind, int depth);
  std::optional<Expr> reshape(const Kind &kind, int depth);
  std::optional<Expr> gather(const Kind &kind, int depth);
  std::optional<Expr> scatter(const Kind &kind, int depth);
  std::optional<Expr> moveAround(const Kind &kind, int depth);
  std::optional<Expr> argument(const Kind &kind, int depth);
  std::optional<Expr> sort(const Kind &kind, int depth);
  std::optional<Expr> topk(const Kind &kind, int depth);
  std::optional<Expr> pairs(const Kind &kind, int depth);
  std::optional<Expr> scan(const Kind &kind, int depth);
  std::optional<Expr> histogram(const Kind &kind, int depth);
  std::optional<Expr> segments(const Kind &kind, int depth);
  Expr indexExpr(const std::string &tile, const Kind &kind, int axis);
  /// Gives the value a name; it stands in the block before what uses it.
  std::string bind(Expr value);

  Random random;
  /// Decides what is printed.
  Random prints;
  Program program;
  std::vector<DType> dtypes;
  std::map<char, AxisTile> tiles;
  std::vector<std::vector<Variable>> scopes;
  std::vector<std::vector<Statement> *> blocks;
  bool hasHelper = false, hasPairHelper = false, hasThreeHelper = false;
  bool hasDictHelper = false, hasTupleHelper = false, hasMover = false;
  int level = 2, count = 0;
};

/// An expression of the operands; exact if all of them are.
Expr makeExpr(const Kind &kind, std::string text,
              std::vector<Expr> operands = {});

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_GENERATOR_H
