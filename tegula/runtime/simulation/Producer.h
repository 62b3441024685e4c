// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels that tell a simulator what they do, kept in files: written once, and
/// simulated without their source and without compiling.

#ifndef TEGULA_RUNTIME_SIMULATION_PRODUCER_H
#define TEGULA_RUNTIME_SIMULATION_PRODUCER_H

#include "tegula/runtime/Export.h"

namespace tegula {

struct Variant;

/// What was written.
struct WrittenProducer {
  /// The description, the library, and the C source if there is one.
  std::vector<std::string> files;
  std::vector<KernelWarning> warnings;
};

/// Compiles `kernel` for `target` and writes NAME.json, NAME.so and NAME.c, all
/// or none. What depends on data has no C source.
[[nodiscard]] Expected<WrittenProducer>
exportProducer(const ExportedKernel &kernel, llvm::StringRef target,
               llvm::StringRef name);

/// A producer that was read. As a Kernel, but it cannot be called.
class Producer {
public:
  /// By the path of the description.
  [[nodiscard]] static Expected<Producer> read(llvm::StringRef path);

  const Signature &getSignature() const;
  /// The machine it was compiled for, as text.
  const std::string &getMachine() const { return machine; }
  [[nodiscard]] Expected<bool>
  mustRunToTrace(llvm::ArrayRef<Argument> arguments) const;
  [[nodiscard]] Expected<std::unique_ptr<TracedCall>>
  trace(llvm::ArrayRef<Argument> arguments, const std::string &machine) const;
  std::vector<KernelWarning> listWarnings() const { return {}; }

private:
  std::shared_ptr<Variant> variant;
  std::string machine;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_SIMULATION_PRODUCER_H
