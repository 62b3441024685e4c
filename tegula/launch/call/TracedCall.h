// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a call would do on a simulated machine.

#ifndef TEGULA_LAUNCH_CALL_TRACEDCALL_H
#define TEGULA_LAUNCH_CALL_TRACEDCALL_H

#include "tegula/launch/Problem.h"
#include "tegula/support/TraceAbi.h"

namespace tegula {

/// A call, to be told operation by operation.
class TracedCall {
public:
  virtual ~TracedCall() = default;

  /// As long as this exists; one simulation at a time.
  virtual const TegulaTraceKernel &getKernel() const = 0;
  /// What was wrong with the call, once all of it was told.
  virtual Problem getProblem() const = 0;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_TRACEDCALL_H
