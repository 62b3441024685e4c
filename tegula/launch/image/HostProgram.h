// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A program that all ranks run together. Its code is ordinary host code; who
/// calls it for them all is chosen at run time, and in a process that is alone
/// it is simply called.

#ifndef TEGULA_LAUNCH_IMAGE_HOSTPROGRAM_H
#define TEGULA_LAUNCH_IMAGE_HOSTPROGRAM_H

#include "tegula/launch/image/KernelImage.h"

namespace tegula {

/// What the facts of a host program call their runner.
inline constexpr const char *hostProgramRunner = "ranks";

/// A loaded host program.
class HostProgram : public LoadedImage {
public:
  /// Loads the host code, which is in `file` unless that is closed; then it is
  /// among the objects of the image.
  static Problem load(KernelImage image, const Descriptor &file,
                      std::unique_ptr<LoadedImage> &program);

  Problem run(llvm::ArrayRef<Argument> arguments,
              const int64_t *slots) override;

  /// The code as this process calls it, with the guard.
  const Variant &getLocal() const { return *local; }
  /// All of it, the host code among the objects, for processes that load it.
  const KernelImage &getImage() const { return image; }
  /// Equal for programs with the same code.
  const std::string &getKey() const { return image.facts.digest; }

private:
  KernelImage image;
  std::unique_ptr<Variant> local;
};

/// Runs host programs with other processes.
class HostCaller {
public:
  virtual ~HostCaller() = default;

  /// Arguments have been checked by the guard.
  virtual Problem call(const HostProgram &program,
                       llvm::ArrayRef<Argument> arguments) = 0;
};

/// Who calls host programs in this process; null if it is alone.
HostCaller *getHostCaller();

/// Chooses who does; null for nobody. No host program may be running. Returns
/// who it was.
HostCaller *chooseHostCaller(HostCaller *caller);

} // namespace tegula

#endif // TEGULA_LAUNCH_IMAGE_HOSTPROGRAM_H
