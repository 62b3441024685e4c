// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What `tegula demo` does with one kernel: compile it once, run it at many
/// sizes, check each against the interpreter and time it.

#ifndef TEGULA_TOOLS_DEMOKERNEL_H
#define TEGULA_TOOLS_DEMOKERNEL_H

#include "tegula/runtime/Compiler.h"
#include "tools/tegula/sim/Workload.h"
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>

namespace tegula {

/// Keeps the machine quiet while a kernel is timed: others wait. Who waits to
/// time goes before who wants to work.
class QuietMachine {
public:
  /// Held while compiling and checking, by any number of threads.
  std::shared_lock<std::shared_mutex> work() {
    std::lock_guard<std::mutex> lock(gate);
    return std::shared_lock(running);
  }
  /// Held while timing, by one thread alone.
  std::unique_lock<std::shared_mutex> time() {
    std::lock_guard<std::mutex> lock(gate);
    return std::unique_lock(running);
  }

private:
  std::mutex gate;
  std::shared_mutex running;
};

/// The line of a table about a kernel, or about a size of it.
std::string formatDemoLine(llvm::StringRef kernel, llvm::StringRef size,
                           llvm::StringRef compiles, llvm::StringRef time,
                           llvm::StringRef error);

/// One kernel of the demo.
class DemoKernel {
public:
  DemoKernel(std::string path, std::string name)
      : path(std::move(path)), name(std::move(name)) {}

  /// Compiles and runs the kernel. A wrong result is no error, but is counted.
  [[nodiscard]] Error run(const std::string &target, bool isVerbose,
                          QuietMachine &machine);

  const std::string &getName() const { return name; }
  /// What there is to say: lines of the table.
  const std::string &getText() const { return text; }
  unsigned getNumFailures() const { return numFailures; }
  /// The command line that runs the kernel at a size; empty if there is none.
  const std::string &getExample() const { return example; }

private:
  [[nodiscard]] Error runSize(const Kernel &kernel,
                              const WorkloadRequest &request, bool isVerbose,
                              QuietMachine &machine);
  [[nodiscard]] Expected<std::string> check(const Kernel &kernel,
                                            const Workload &workload);
  void setExample(const Signature &signature);
  bool isWorthChecking(double work) const;
  WorkloadRequest fitLargest(const Signature &signature,
                             const WorkloadRequest &largest) const;
  void fail(const Kernel &kernel, const Workload &workload,
            const std::string &error);
  void addLine(const Kernel &kernel, const std::string &size,
               const std::string &time, const std::string &error);

  std::string path;
  std::string name;
  std::string text;
  std::string example;
  unsigned numFailures = 0;
  /// The kernel cannot take random numbers.
  bool needsIndices = false;
  /// The largest product of extents that was checked, and the processor seconds
  /// its check took.
  double largestWork = 0;
  double largestSeconds = 0;
  std::optional<double> worstError;
  /// How many sizes were timed, and which of them took longest.
  unsigned numSizes = 0;
  std::string slowestSize;
  double slowest = 0;
};

} // namespace tegula

#endif // TEGULA_TOOLS_DEMOKERNEL_H
