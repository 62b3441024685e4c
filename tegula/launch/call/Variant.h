// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The compiled code of a kernel for one choice of types and shapes of its open
/// parameters.

#ifndef TEGULA_LAUNCH_CALL_VARIANT_H
#define TEGULA_LAUNCH_CALL_VARIANT_H

#include "tegula/launch/call/Guard.h"
#include "tegula/launch/call/KernelWarning.h"
#include "tegula/launch/image/LoadedImage.h"
#include "tegula/support/KernelAbi.h"
#include <memory>
#include <string>
#include <vector>

namespace tegula {

/// Compiled code with its guard. Never changes once it can be found.
struct Variant {
  Guard guard;
  /// Keeps the machine code alive.
  std::shared_ptr<void> code;
  TegulaKernel function = nullptr;
  /// What runs it where there is no function to call.
  std::unique_ptr<LoadedImage> image;
  /// The texts that TegulaCallState::site stands for.
  std::vector<std::string> sites;
  std::vector<KernelWarning> warnings;
  /// Where the code came from, for those who ask.
  enum class Origin : uint8_t { Compiled, DiskCache } origin = Origin::Compiled;

  /// Checks the arguments and runs the code.
  Problem call(llvm::ArrayRef<Argument> arguments) const;

  /// Calls the function with what the guard made of arguments.
  Problem run(const int64_t *slots) const {
    TegulaCallState state = {};
    function(slots, &state);
    if (LLVM_LIKELY(state.error == TegulaNoError))
      return {};
    return describe(state);
  }

  /// Checks the arguments and says what the call would do on the machine that
  /// is simulated; see LoadedImage::trace.
  Problem trace(llvm::ArrayRef<Argument> arguments, const std::string &machine,
                std::unique_ptr<TracedCall> &traced) const;

private:
  Problem describe(const TegulaCallState &state) const;
};

/// What happened during a run that reported an error, in words.
Problem describeRunProblem(const TegulaCallState &state,
                           llvm::ArrayRef<std::string> sites);

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_VARIANT_H
