// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// An image that a back end runs, because it is more than host code that can
/// simply be called.

#ifndef TEGULA_LAUNCH_IMAGE_LOADEDIMAGE_H
#define TEGULA_LAUNCH_IMAGE_LOADEDIMAGE_H

#include "tegula/launch/Problem.h"
#include "tegula/launch/call/Argument.h"
#include "tegula/launch/call/TracedCall.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <string>

namespace tegula {

/// How a report is written: for readers, to be read by programs, or as a page
/// to look at, with a timeline.
enum class ReportFormat { Text, Json, Html };

/// Ready to run. May be called from several threads at once.
class LoadedImage {
public:
  virtual ~LoadedImage() = default;

  /// Runs the kernel on arguments that its guard has checked; `slots` is what
  /// the guard made of them.
  virtual Problem run(llvm::ArrayRef<Argument> arguments,
                      const int64_t *slots) = 0;

  /// Whether it is for a machine that is simulated.
  virtual bool isSimulated() const { return false; }

  /// True if what a call does on a machine that is simulated depends on data,
  /// so that it has to run to be told.
  virtual bool mustRunToTrace() const { return false; }

  /// Of a machine that is simulated: what such a call would do. Where that
  /// depends on data the call is run; of other kernels the memory of tensors
  /// need not even be there. What the target chooses for a call it chooses for
  /// `machine`, a text as the target reads it, or for its own if that is empty.
  virtual Problem trace(llvm::ArrayRef<Argument> arguments,
                        llvm::ArrayRef<int64_t> slots,
                        const std::string &machine,
                        std::unique_ptr<TracedCall> &traced);

  /// Of a machine that is simulated: how the last call went there.
  virtual Problem report(ReportFormat format, std::string &text);
};

} // namespace tegula

#endif // TEGULA_LAUNCH_IMAGE_LOADEDIMAGE_H
