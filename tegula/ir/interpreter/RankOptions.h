// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How the interpreter runs the ranks of a program, all in this process.

#ifndef TEGULA_IR_INTERPRETER_RANKOPTIONS_H
#define TEGULA_IR_INTERPRETER_RANKOPTIONS_H

#include <cstdint>

namespace tegula::pl {

/// Who goes on where a rank may give way, which is where it talks to others.
enum class RankOrder {
  /// Each rank until it must wait, then the first that need not.
  InOrder,
  /// Any rank that need not wait, as `seed` has it.
  Random,
  /// As in order; what is written to others arrives when all wait for it.
  Late
};

struct RankOptions {
  /// With one rank nobody gives way to anybody.
  int64_t count = 1;
  RankOrder order = RankOrder::InOrder;
  uint64_t seed = 0;
};

} // namespace tegula::pl

#endif // TEGULA_IR_INTERPRETER_RANKOPTIONS_H
