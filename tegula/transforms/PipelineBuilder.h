// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What pages of passes add to. Knows the passes by name, in the order in which
/// they run, and leaves out those after a limit: so one can stop after any of
/// them.

#ifndef TEGULA_TRANSFORMS_PIPELINEBUILDER_H
#define TEGULA_TRANSFORMS_PIPELINEBUILDER_H

#include "mlir/Pass/PassManager.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tegula {

/// A pass of a pipeline.
struct PassEntry {
  /// As drivers know it, such as `tegula-cpu-vectorize`.
  std::string name;
  /// What it does, in a few words.
  std::string summary;
};

class PipelineBuilder {
public:
  static constexpr size_t allPasses = std::numeric_limits<size_t>::max();

  /// Adds the first `limit` passes to `pm`.
  explicit PipelineBuilder(mlir::OpPassManager &pm, size_t limit = allPasses)
      : pm(pm), root(*this), limit(limit) {}
  PipelineBuilder(const PipelineBuilder &) = delete;

  void addPass(std::unique_ptr<mlir::Pass> pass);

  /// The same for a pass that runs on ops inside.
  template <typename OpT> void addNestedPass(std::unique_ptr<mlir::Pass> pass) {
    nest<OpT>().addPass(std::move(pass));
  }

  /// What adds passes that run on ops inside, with the same limit.
  template <typename OpT> PipelineBuilder nest() {
    return PipelineBuilder(pm.nest<OpT>(), root);
  }

  /// Adds a pass that runs others itself, which `addInner` adds. It is made to
  /// run so many of them.
  void addPassAround(
      llvm::function_ref<void(PipelineBuilder &)> addInner,
      llvm::function_ref<std::unique_ptr<mlir::Pass>(size_t)> makePass);

  /// What was added so far, with the passes that others run themselves, before
  /// those.
  const std::vector<PassEntry> &listPasses() const { return root.passes; }

private:
  PipelineBuilder(mlir::OpPassManager &pm, PipelineBuilder &root)
      : pm(pm), root(root), limit(allPasses) {}

  bool isFull() const { return root.passes.size() == root.limit; }

  mlir::OpPassManager &pm;
  /// Counts for all that are nested.
  PipelineBuilder &root;
  size_t limit;
  std::vector<PassEntry> passes;
};

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PIPELINEBUILDER_H
