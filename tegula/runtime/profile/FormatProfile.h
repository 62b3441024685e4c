// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a profile found, in words, next to what the machine can do.

#ifndef TEGULA_RUNTIME_PROFILE_FORMATPROFILE_H
#define TEGULA_RUNTIME_PROFILE_FORMATPROFILE_H

#include "tegula/runtime/profile/Profile.h"

namespace tegula {

/// What a call does, and what the machine could do.
struct ProfileRates {
  double bytes = 0, operations = 0, seconds = 0;
  double copyRate = 0, peak = 0;
  /// Who copies and who computes at these rates: "one core", "2 cores".
  std::string copier, computer;

  /// The share of the time that the machine needs at least.
  double ofMemory() const { return bytes / copyRate / seconds; }
  double ofArithmetic() const { return operations / peak / seconds; }
};

/// Measures what this machine can do with as much as the call had.
ProfileRates measureRates(const Profile &profile,
                          llvm::ArrayRef<Argument> arguments);

/// Which limit the kernel is at, in a sentence.
std::string describeBound(const ProfileRates &rates);

/// Three lines: arithmetic, memory, and which of them bounds it.
std::string formatRates(const ProfileRates &rates, bool isCounted);

/// The lines of the source that take at least a hundredth of the time, with
/// their shares, and then what the compiler could not do.
std::string formatLines(const Profile &profile, SourceFiles &files);

} // namespace tegula

#endif // TEGULA_RUNTIME_PROFILE_FORMATPROFILE_H
