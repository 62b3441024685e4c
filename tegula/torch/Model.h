// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A model that torch.export.save wrote: its graph and its parameters, read
/// from the file. Neither Python nor torch is needed.

#ifndef TEGULA_TORCH_MODEL_H
#define TEGULA_TORCH_MODEL_H

#include "tegula/torch/Graph.h"

#include "llvm/Support/MemoryBuffer.h"

namespace tegula::torch {

/// A parameter, a buffer or a constant of a model.
struct ModelTensor {
  /// The input of the graph that it is.
  std::string input;
  std::string dtype;
  std::vector<int64_t> shape;
  /// Without gaps, the last axis first.
  std::string bytes;
};

/// What a tensor was when the model was exported.
struct Example {
  std::string dtype;
  std::vector<int64_t> shape;
};

struct Model {
  Graph graph;
  std::vector<ModelTensor> bound;
  /// For each input of the graph, and then for each output.
  std::vector<Example> examples;
};

/// The bytes of a .pt2 file, which are called what the file is.
[[nodiscard]] Expected<std::unique_ptr<llvm::MemoryBuffer>>
openModel(const std::string &path);

/// Reads a .pt2 file. What cannot be a kernel is an error that says why.
[[nodiscard]] Expected<Model>
readModel(std::unique_ptr<llvm::MemoryBuffer> file);

/// The files of an archive in which nothing is compressed, by their names
/// without the folder that all of them are in.
class Archive {
public:
  [[nodiscard]] static Expected<Archive>
  read(std::unique_ptr<llvm::MemoryBuffer> file);

  /// The bytes of a file, as long as this lives.
  [[nodiscard]] Expected<llvm::StringRef> find(llvm::StringRef name) const;

private:
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::map<std::string, llvm::StringRef, std::less<>> files;
};

/// A size as torch writes it, "Add(Symbol('s0', integer=True), Integer(1))", in
/// the syntax of the kernel language.
[[nodiscard]] Expected<std::string> readExtent(llvm::StringRef text);

/// The text of the file `kernels.py`, which kernels made of graphs import.
llvm::StringRef getKernelFile();

} // namespace tegula::torch

#endif // TEGULA_TORCH_MODEL_H
