// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Signatures as Python dicts, and the shapes of outputs that a call leaves
/// out.

#ifndef TEGULA_PYTHON_DESCRIBESIGNATURE_H
#define TEGULA_PYTHON_DESCRIBESIGNATURE_H

#include "tegula/launch/Problem.h"
#include "tegula/launch/call/Signature.h"
#include "tegula/support/TensorView.h"

#include <nanobind/nanobind.h>

namespace tegula {

/// {"kernel": ..., "text": ..., "results": [...], "requirements": [...],
/// "parameters": [{"name", "kind", "direction", "dtype", "axes", "constant",
/// "reason"}, ...]}. An axis is an int, or the text of what it is called.
nanobind::dict describeSignature(const Signature &signature);

/// Appends (dtype, shape) for every output in `given` that is null and None
/// for everything else. `numbers` has the integers among the arguments. Fails
/// if these do not say how large it is.
Problem inferShapes(const Signature &declared,
                    const std::vector<const TensorView *> &given,
                    const std::vector<int64_t> &numbers,
                    nanobind::list &outputs);

} // namespace tegula

#endif // TEGULA_PYTHON_DESCRIBESIGNATURE_H
