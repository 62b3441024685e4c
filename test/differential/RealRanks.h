// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Processes that run compiled host programs. They are started once, and kept
/// by the process that asks.

#ifndef TEGULA_TEST_DIFFERENTIAL_REALRANKS_H
#define TEGULA_TEST_DIFFERENTIAL_REALRANKS_H

#include "tegula/launch/image/HostProgram.h"

namespace tegula::differential {

/// How ranks reach each other.
enum class RankTransport : uint8_t { Shared, Messages };

/// One compiled program, on any number of ranks.
class RealProgram {
public:
  RealProgram(const HostProgram &program, RankTransport transport)
      : program(program), transport(transport) {}

  Problem call(int64_t ranks, llvm::ArrayRef<Argument> arguments) const;

private:
  const HostProgram &program;
  RankTransport transport;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_REALRANKS_H
