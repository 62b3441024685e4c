// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How much memory the tensors that a function makes take in a call.

#ifndef TEGULA_TRANSFORMS_PLAN_TENSORBYTES_H
#define TEGULA_TRANSFORMS_PLAN_TENSORBYTES_H

#include "tegula/ir/extents/SizeEvaluation.h"
#include "tegula/transforms/plan/TensorPlan.h"

namespace tegula {

/// Of tensors that are made outside of loops; those of an iteration are gone
/// after it.
struct TensorBytes {
  int64_t tensors = 0;
  int64_t slots = 0;
  /// What all of them take, and what they would take if no two shared a slot.
  int64_t shared = 0;
  int64_t apart = 0;
  /// False if data decide how large one of them is; it is not counted then.
  bool isKnown = true;
};

TensorBytes measureTensors(const TensorPlan &plan,
                           pl::SizeEvaluation &evaluation);

} // namespace tegula

#endif // TEGULA_TRANSFORMS_PLAN_TENSORBYTES_H
