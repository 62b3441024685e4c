// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The road from the front end's output to bounded tiles, for every target.

#ifndef TEGULA_TRANSFORMS_PIPELINES_H
#define TEGULA_TRANSFORMS_PIPELINES_H

#include "tegula/transforms/Stage.h"

namespace tegula {

class PipelineBuilder;
struct MachineModel;
struct TileSizes;

/// What becomes of warnings.
enum class Warnings {
  /// Nobody wants to know.
  None,
  Reported,
  AreErrors
};

/// How the road to stage `inferred` is taken.
struct InferOptions {
  /// Remarks say what was proved and what is checked when.
  bool explain = false;
  /// What may not have been meant.
  Warnings warnings = Warnings::None;
  /// Tensors that a kernel makes start as zeros, as in the interpreter.
  bool zeroTensors = false;
  /// Grids stay whole, with their barriers, for those who read the program.
  bool keepBarriers = false;
};

/// From the front end's output to stage `inferred`: no functions but entries
/// and those that the machine keeps, extents resolved to symbols, accesses
/// checked.
void buildInferPipeline(PipelineBuilder &pm, const MachineModel &machine,
                        const InferOptions &options = {});

/// What cuts the tiles of a function to these sizes and looks at the loops this
/// makes. Part of the tile pipeline.
void buildCutPipeline(PipelineBuilder &pm, const TileSizes &tiles);

/// From stage `inferred` to stage `tiles`: bounded tiles only, each op on them
/// in one core region, parallel loops proved.
void buildTilePipeline(PipelineBuilder &pm, const MachineModel &machine);

/// From stage `tiles` to stage `outlined`: core regions are functions.
void buildOutlinePipeline(PipelineBuilder &pm);

/// The passes from the stage before `stage` to it.
void buildStage(PipelineBuilder &pm, Stage stage, const InferOptions &options,
                const MachineModel &machine);

/// Makes what needs no machine available to tegula-opt.
void registerTegulaPipelines();

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PIPELINES_H
