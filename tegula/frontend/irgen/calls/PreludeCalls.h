// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Calls of functions of the language that are written in the language itself:
/// the body is generated in the place of the call, as if it stood there.

#ifndef TEGULA_FRONTEND_IRGEN_CALLS_PRELUDECALLS_H
#define TEGULA_FRONTEND_IRGEN_CALLS_PRELUDECALLS_H

#include "tegula/frontend/builtins/Builtins.h"
#include "tegula/frontend/irgen/FunctionPart.h"

namespace tegula {

class Expressions;
class Statements;

/// Calls functions of the prelude.
class PreludeCalls : FunctionPart {
public:
  PreludeCalls(FunctionState &state, Expressions &expressions,
               Statements &statements)
      : FunctionPart(state), expressions(expressions), statements(statements) {}

  Object call(const PreludeCall &call);

private:
  Expressions &expressions;
  Statements &statements;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_IRGEN_CALLS_PRELUDECALLS_H
