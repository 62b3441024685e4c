// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A graph as a kernel in the language: each operation becomes a line, so that
/// what is compiled can be read, and says where a mistake is.

#ifndef TEGULA_TORCH_KERNELWRITER_H
#define TEGULA_TORCH_KERNELWRITER_H

#include "tegula/torch/Graph.h"

#include <optional>
#include <set>

namespace tegula::torch {

class KernelWriter;

/// Writes an operation; what it says is an expression for each result. Nothing
/// if it has a form that is not known.
using Rule = std::optional<std::vector<std::string>> (*)(KernelWriter &writer,
                                                         const Node &node);

/// The rule of an operation, or null.
Rule findRule(llvm::StringRef op);

/// True if an operation gives elements of its first operand, in any order.
bool isView(llvm::StringRef op);

/// Parts of the table, by theme. Each adds its rules.
using RuleTable = std::map<std::string, Rule, std::less<>>;
void addPointwiseRules(RuleTable &rules);
void addReductionRules(RuleTable &rules);
void addShapeRules(RuleTable &rules);
void addCreationRules(RuleTable &rules);
void addMatmulRules(RuleTable &rules);
void addIndexRules(RuleTable &rules);
void addNormRules(RuleTable &rules);
void addWindowRules(RuleTable &rules);
void addIndexUpdateRules(RuleTable &rules);
void addPadRules(RuleTable &rules);
void addLossRules(RuleTable &rules);
void addJoinRules(RuleTable &rules);

/// What rules ask and use.
class KernelWriter {
public:
  explicit KernelWriter(const Graph &graph);

  /// The kernel as text, or what cannot be written.
  [[nodiscard]] Expected<std::string> write();

  /// The names of operations that have no rule, or not one for their form, each
  /// with why: "aten.fft.default: not known".
  std::vector<std::string> listUnknown();

  /// The type of a node's result, or of an input. Without axes it has one of
  /// extent 1, as the kernel has it. If it is no tensor, the operation is one
  /// that is not known.
  const TensorType &typeOf(const Argument &argument) const;
  /// False for a tensor that has no axes to torch.
  bool hasAxes(const Argument &argument) const {
    return !single.count(argument.text);
  }
  unsigned rankOf(const Argument &argument) const {
    return typeOf(argument).shape.size();
  }

  /// A node as an expression: the name of its first result.
  std::string use(const Argument &argument) const;
  /// The same as elements of `dtype`, with 1s before its axes if it has fewer
  /// than `rank`. Numbers are written as such elements.
  std::string use(const Argument &argument, llvm::StringRef dtype,
                  unsigned rank);

  /// The same, and it lies in memory: what loops read again and again is
  /// computed once.
  std::string usePlaced(const Argument &argument, llvm::StringRef dtype);
  /// Says that a node's result lies in memory.
  void markPlaced(const Node &node) { placed.insert(node.name); }
  /// The same if another one does, of which it is a part.
  void markPlacedWith(const Node &node, const Argument &whole) {
    if (placed.count(whole.text))
      markPlaced(node);
  }

  /// What stands along an axis at indices that a list names, in that shape.
  std::string take(const Argument &source, const std::string &indices,
                   unsigned axis, const std::vector<std::string> &shape);

  /// An expression given a name of its own on a line of its own.
  std::string name(const std::string &expression);
  /// A new tensor that can be written, as a node's result is; `value` is what
  /// is written first, unless it is empty.
  std::string makeTensor(const Node &node, const std::string &value = "");
  /// A line that writes a part of a tensor that was made here: "t0[1:2]".
  void assign(const std::string &part, const std::string &value);

  /// A line that fails the call with a message unless a condition holds, of a
  /// number or of all elements of a tensor; `when` may say when it has to. The
  /// message begins with the node's operation.
  void require(const Node &node, const std::string &condition,
               llvm::StringRef message, const std::string &when = "");
  /// The same for extents that must not be zero. One that is the number 0 makes
  /// the operation one that is not known: it is left to torch to refuse it.
  void requireSome(const Node &node, llvm::ArrayRef<std::string> extents,
                   llvm::StringRef message);

  /// The list of indices along an axis of that extent that a tensor names. The
  /// kernel refuses others, before anything is made of them.
  std::string listIndices(const Node &node, const Argument &indices,
                          const std::string &extent,
                          bool countsFromEnd = false);

  /// A number; `otherwise` if it is left out. One that only a call brings makes
  /// the operation one that is not known.
  int64_t readInteger(const Argument &argument, int64_t otherwise);
  double readFloat(const Argument &argument, double otherwise);
  bool readBool(const Argument &argument, bool otherwise);
  /// A size that cannot be negative, because it is made of extents. Any other
  /// makes the operation one that is not known.
  std::string readSize(const Argument &argument);
  /// Axes: a number or a list of them.
  std::vector<unsigned> readAxes(const Argument &argument, unsigned rank);

  /// An argument by its position or its name; none if it is left out.
  const Argument &get(const Node &node, unsigned position,
                      llvm::StringRef name) const;

  /// True if all nodes that are used have been written.
  bool isWritten(const Argument &argument) const;
  /// The node that alone uses a node, and once; null if there are others, or if
  /// it comes out of the graph.
  const Node *findOnlyUser(const Node &node) const;
  /// The users of a node, one for each use; null where it comes out.
  llvm::ArrayRef<const Node *> usersOf(const Node &node) const;
  /// The tensor, made at the first question, that a node's result is; it may be
  /// written before the node is.
  std::string tensorOf(const Node &node);
  /// Says that a node has been written where another one will have it.
  void setInside(const Node &node, const Node &other) {
    inside[node.name] = other.name;
  }
  bool isInside(const Argument &argument, const Node &other) const {
    auto found = inside.find(argument.text);
    return found != inside.end() && found->second == other.name;
  }
  /// What `into` is written as is the result of `node`, which comes later.
  void merge(const Node &node, const Node &into) {
    merged[node.name] = into.name;
  }

private:
  void addUser(const Argument &argument, const Node *user);
  std::optional<std::vector<std::string>> apply(const Node &node);
  std::set<std::string> findNeeded() const;
  void bind(const Node &node, std::vector<std::string> expressions);
  std::string writeInputs() const;

  const Graph &graph;
  /// By name, and by "name.1" for further results.
  std::map<std::string, TensorType, std::less<>> types;
  /// Names of what has no axes.
  std::set<std::string, std::less<>> single;
  /// What a name in the graph is called in the text.
  std::map<std::string, std::string, std::less<>> names;
  /// The users of each node, one for each use; null for an output.
  std::map<std::string, std::vector<const Node *>, std::less<>> users;
  /// Nodes that are computed with an earlier one.
  std::map<std::string, std::string, std::less<>> merged;
  /// Tensors that were made for nodes which may come later.
  std::map<std::string, std::string, std::less<>> tensors;
  /// Nodes that are parts of others, by these.
  std::map<std::string, std::string, std::less<>> inside;
  /// Inputs and nodes that lie in memory, and views of them.
  std::set<std::string> placed;
  /// Names of inputs, and of what is memory of them.
  std::set<std::string> shared;
  std::string body;
  /// True if the rule asked for a tensor or a number that is not there.
  mutable bool isOpen = false;
  unsigned count = 0;
};

/// "pl.FP32" for "float32"; empty if there is no such type.
llvm::StringRef nameDType(llvm::StringRef dtype);
/// True for types with a fraction, and for those of at most 16 bits.
bool isFloating(llvm::StringRef dtype);
bool isNarrowFloat(llvm::StringRef dtype);
/// What torch computes a narrow float in.
llvm::StringRef widen(llvm::StringRef dtype);
/// The type that both are converted to.
std::string promote(llvm::StringRef lhs, llvm::StringRef rhs);

/// "[s0, 128]"
std::string formatShape(const std::vector<std::string> &shape);
/// "s0 * 128"; "1" of nothing.
std::string formatProduct(const std::vector<std::string> &shape);
/// The cast of an expression; itself if it is of that type.
std::string castTo(const std::string &expression, llvm::StringRef from,
                   llvm::StringRef to);
/// "x" as "pl.reshape(x, [...])".
std::string reshapeTo(const std::string &expression,
                      const std::vector<std::string> &shape);
/// A number as the language has it.
std::string formatNumber(const Argument &argument, llvm::StringRef dtype);

/// A number as the nearest element of a narrow float; itself for other types.
double roundNumber(double number, llvm::StringRef dtype);

/// False for an integer that such elements cannot be.
bool fits(const Argument &number, llvm::StringRef dtype);

/// True for an extent that is a number.
bool isNumeral(llvm::StringRef extent);

/// A tensor with three axes: what is before some of them, these, and what is
/// after them.
std::string asThree(const std::string &text, llvm::ArrayRef<std::string> shape,
                    unsigned begin, unsigned end);

/// An axis that may be counted from the end.
unsigned readAxis(int64_t axis, unsigned rank);

/// What a node gives first. Without axes it has none here.
inline const TensorType &resultOf(const Node &node) { return node.results[0]; }
inline std::vector<std::string> shapeOf(const Node &node) {
  const std::vector<std::string> &shape = resultOf(node).shape;
  return shape.empty() ? std::vector<std::string>{"1"} : shape;
}
inline unsigned rankOfResult(const Node &node) { return shapeOf(node).size(); }

/// What a rule gives.
using Written = std::optional<std::vector<std::string>>;

/// The one expression of a rule.
inline Written one(std::string expression) {
  return std::vector<std::string>{std::move(expression)};
}

} // namespace tegula::torch

#endif // TEGULA_TORCH_KERNELWRITER_H
