// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Writes a program and its calls to a folder, for another judge than the
/// interpreter: `kernel.py`; for each call `N.json` with sizes, scalars and
/// what the runs say; and its tensors, `N.NAME.WHAT.npy`, where WHAT is
/// `given`, `compiled` or `interpreted`.

#ifndef TEGULA_TEST_DIFFERENTIAL_DUMP_H
#define TEGULA_TEST_DIFFERENTIAL_DUMP_H

#include "tegula/launch/call/Argument.h"
#include "tegula/launch/call/Signature.h"
#include "test/differential/Runner.h"

#include "llvm/Support/JSON.h"

namespace tegula::differential {

class Dump {
public:
  /// Writes the source. A folder that cannot be made or written ends the
  /// process.
  Dump(const std::string &folder, const std::string &source);

  /// Writes the arguments of the next call, before a run changes them.
  void begin(const Signature &signature, const Sizes &sizes,
             llvm::ArrayRef<Argument> arguments);
  /// Writes what a run of this call says, or, if it says nothing, what it
  /// wrote.
  void addRun(const char *run, const std::string &problem,
              llvm::ArrayRef<Argument> arguments);

private:
  void writeTensors(const char *what, llvm::ArrayRef<Argument> arguments,
                    bool isResult);
  void write(const std::string &name, llvm::StringRef bytes);

  std::string folder;
  const Signature *signature = nullptr;
  /// What is known of the current call.
  llvm::json::Object call;
  int64_t numCalls = 0;
};

} // namespace tegula::differential

#endif // TEGULA_TEST_DIFFERENTIAL_DUMP_H
