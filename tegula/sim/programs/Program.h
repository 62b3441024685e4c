// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels that are written by hand, for calibration and tests: a class that
/// gives one operation at a time becomes a TegulaTraceKernel.

#ifndef TEGULA_SIM_PROGRAMS_PROGRAM_H
#define TEGULA_SIM_PROGRAMS_PROGRAM_H

#include "tegula/support/TraceAbi.h"
#include <string>
#include <vector>

namespace tegula::sim {

/// A kernel as a class. It must outlive every use of its kernel struct.
class Program {
public:
  explicit Program(std::string name);
  virtual ~Program() = default;
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;

  const TegulaTraceKernel &getKernel() const { return kernel; }

  /// Work items; programs have one phase.
  virtual int64_t countItems() const = 0;
  /// Makes the next operation of `item`, zeroed before; false at the end.
  virtual bool next(int64_t item, TegulaTraceCursor &cursor,
                    TegulaTraceOp &op) const = 0;

protected:
  /// Names a tensor; returns its number.
  int32_t addTensor(const char *tensor);
  /// Adds a vector region's cost; returns its number.
  int32_t addFormula(const TegulaTraceFormula &formula);

private:
  std::string name;
  std::vector<const char *> tensors;
  std::vector<TegulaTraceFormula> formulas;
  TegulaTraceKernel kernel{};
};

/// The memories of a core, handed out from the front.
class ScratchpadLayout {
public:
  /// `size` bytes of `space`.
  TegulaTraceRange take(int64_t size,
                        TegulaTraceSpace space = TegulaTraceScratchpad);
  int64_t getUsed(TegulaTraceSpace space = TegulaTraceScratchpad) const {
    return used[space];
  }

private:
  int64_t used[3] = {};
};

/// Adds a range to those `op` reads or writes; `bytes` of it are used.
void addRead(TegulaTraceOp &op, TegulaTraceRange range, int64_t bytes,
             bool isLast);
void addWrite(TegulaTraceOp &op, TegulaTraceRange range, int64_t bytes);

} // namespace tegula::sim

#endif // TEGULA_SIM_PROGRAMS_PROGRAM_H
