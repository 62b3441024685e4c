// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What `tegula tune` found out: for kernels of this user on this machine, how
/// calls compute. One small file next to the compiled kernels. Whatever is
/// wrong with it, kernels are compiled as if there were none: at most one line
/// on the standard error output says so.

#ifndef TEGULA_LAUNCH_CACHE_TUNINGS_H
#define TEGULA_LAUNCH_CACHE_TUNINGS_H

#include "tegula/launch/Problem.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

struct Program;

/// A number of the host's target that can be tuned.
struct TunableChoice {
  std::string_view name;
  int64_t least, most;
  /// What it is compared with usually; 0 where sizes decide by a formula.
  int64_t usual;
};

/// Whether matmuls copy their rhs to panels and their left one to
/// strips, and have variants for few rows or columns: 0 is never, 1
/// always. Then the bytes of a tensor to which is stored past the caches, and
/// the work of a loop that threads share, both at least.
inline constexpr TunableChoice tunableChoices[] = {
    {"panels", 0, 1, 0},
    {"strips", 0, 1, 0},
    {"narrow", 0, 1, 0},
    {"stream", 1, int64_t(1) << 46, 1 << 24},
    {"share", 1, int64_t(1) << 46, 1 << 15}};

/// Reads "stream=65536". False if it is no such word.
bool readChoice(std::string_view word, size_t &choice, int64_t &number);

/// What was found for one kernel.
struct Tuning {
  /// Digest of the file's text and of the machine.
  std::string file;
  std::string kernel;
  /// "panels=1,stream=4194304"
  std::string choices;
};

/// The digest that tunings of kernels in such a file have.
std::string digestTuned(std::string_view text);

/// All that is known, of other machines, too.
std::vector<Tuning> readTunings();

/// What was found for the kernel of a file with that digest, or for the only
/// one of the file if the name is empty; empty if nothing was.
std::string findTuned(const std::string &file, const std::string &kernel);

/// The target with what was found for a kernel of a file with that text, if it
/// is the one that is tuned.
std::string tuneTarget(const std::string &target, std::string_view text,
                       const std::string &kernel);

/// Keeps a tuning, in the place of one of the same kernel; forgets that if
/// there are no choices.
Problem keepTuning(const Tuning &tuning);

/// Forgets everything.
Problem forgetTunings();

/// A program for the host is for it with what was found for its kernel.
void useTuning(Program &program);

} // namespace tegula

#endif // TEGULA_LAUNCH_CACHE_TUNINGS_H
