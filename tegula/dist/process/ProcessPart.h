// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What every part of ProcessRanks does with its state.

#ifndef TEGULA_DIST_PROCESS_PROCESSPART_H
#define TEGULA_DIST_PROCESS_PROCESSPART_H

#include "tegula/dist/process/ProcessState.h"

namespace tegula {

/// A part of ProcessRanks.
class ProcessPart {
public:
  /// Parts know each other by where they are.
  ProcessPart(const ProcessPart &) = delete;

protected:
  explicit ProcessPart(ProcessState &process) : process(process) {}

  int64_t getRank() const { return process.transport->getRank(); }
  int64_t getCount() const { return process.transport->getCount(); }
  bool isDirect() const { return process.isDirect(); }

  ProcessState &process;
};

} // namespace tegula

#endif // TEGULA_DIST_PROCESS_PROCESSPART_H
