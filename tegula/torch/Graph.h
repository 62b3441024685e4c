// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A graph of torch's as plain data: what torch.export and torch.compile give,
/// before anything is taken apart. Python writes it as JSON; nothing here needs
/// Python or torch.

#ifndef TEGULA_TORCH_GRAPH_H
#define TEGULA_TORCH_GRAPH_H

#include "tegula/support/Error.h"

#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

namespace tegula::torch {

/// What a tensor is. Extents are numbers or arithmetic on the graph's symbols,
/// in Python's syntax.
struct TensorType {
  /// As torch calls it: "float32".
  std::string dtype;
  std::vector<std::string> shape;
};

/// What a node is given.
struct Argument {
  enum class Kind {
    None,
    /// `text` is the name of a node or an input.
    Node,
    Bool,
    Integer,
    Float,
    String,
    /// `text` is arithmetic on symbols.
    Size,
    /// `text` is the name of a type of elements.
    DType,
    List
  };

  Kind kind = Kind::None;
  std::string text = {};
  int64_t integer = 0;
  double real = 0;
  std::vector<Argument> elements = {};

  bool isNone() const { return kind == Kind::None; }
  bool isNode() const { return kind == Kind::Node; }
  /// True for a number, whether it is known or not.
  bool isScalar() const {
    return kind == Kind::Bool || kind == Kind::Integer || kind == Kind::Float ||
           kind == Kind::Size;
  }
};

/// One operation.
struct Node {
  std::string name;
  /// As torch calls it: "aten.add.Tensor".
  std::string op;
  std::vector<Argument> arguments = {};
  std::map<std::string, Argument, std::less<>> named = {};
  /// One for each tensor that it gives; none for sizes.
  std::vector<TensorType> results = {};
};

/// A tensor that a call brings.
struct Input {
  std::string name;
  TensorType type;
};

/// What a call has to fulfil: arithmetic on symbols, and why.
struct Requirement {
  std::string condition;
  std::string message;
};

struct Graph {
  std::string name;
  /// Each is the extent of an axis of an input.
  std::vector<std::string> symbols;
  /// Further symbols: numbers that a call brings besides its tensors.
  std::vector<std::string> numbers;
  std::vector<Input> inputs;
  std::vector<Node> nodes;
  /// Nodes, and nothing where torch gives nothing.
  std::vector<Argument> outputs;
  /// What was decided by sizes when the model was exported.
  std::vector<Requirement> requirements = {};
};

/// Reads a graph; what is not one is an error that says why.
[[nodiscard]] Expected<Graph> readGraph(llvm::StringRef json);

} // namespace tegula::torch

#endif // TEGULA_TORCH_GRAPH_H
