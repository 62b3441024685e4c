// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What every part of the emitter does with it.

#ifndef TEGULA_FRONTEND_EMIT_EMITTERPART_H
#define TEGULA_FRONTEND_EMIT_EMITTERPART_H

#include "mlir/IR/Builders.h"
#include "tegula/frontend/constants/Object.h"
#include "tegula/frontend/diagnostics/Reporter.h"
#include "tegula/frontend/emit/TensorUse.h"
#include "tegula/frontend/syntax/Ast.h"
#include "tegula/ir/ops/PlOps.h"

namespace tegula {

class Emitter;

/// A part of the emitter: it builds IR for one kind of operations.
class EmitterPart {
public:
  explicit EmitterPart(Emitter &emitter);
  /// Parts know each other by where they are.
  EmitterPart(const EmitterPart &) = delete;

protected:
  Emitter &emitter;
  mlir::OpBuilder &builder;
  Reporter &reporter;
  TensorUse &uses;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_EMIT_EMITTERPART_H
