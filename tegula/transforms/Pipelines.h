// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The road from the front end's output to bounded tiles, for every target.

#ifndef TEGULA_TRANSFORMS_PIPELINES_H
#define TEGULA_TRANSFORMS_PIPELINES_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tegula {

/// From the front end's output to stage `inferred`: one function per entry,
/// extents resolved to symbols, accesses checked. With `explain`, remarks say
/// what was proved and what is checked when.
void buildInferPipeline(mlir::OpPassManager &pm, bool explain = false);

/// From stage `inferred` to stage `tiles`: bounded tiles only, parallel loops
/// proved.
void buildTilePipeline(mlir::OpPassManager &pm);

/// Makes both available to tegula-opt.
void registerTegulaPipelines();

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PIPELINES_H
