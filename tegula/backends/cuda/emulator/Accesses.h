// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who reads and writes which bytes of shared memory, as far as instructions
/// do, to find what is done too early.

#ifndef TEGULA_BACKENDS_CUDA_EMULATOR_ACCESSES_H
#define TEGULA_BACKENDS_CUDA_EMULATOR_ACCESSES_H

#include "tegula/backends/cuda/emulator/Knowledge.h"

#include <array>
#include <memory>
#include <string>

namespace tegula::emulator {

inline constexpr int32_t warpgroupThreads = 128;

/// When threads of a group have seen that a matmul has ended; 0 is never.
struct WgmmaEnd {
  int32_t firstThread;
  std::array<uint32_t, warpgroupThreads> seen = {};
};

/// Bytes from one to before another.
struct Bytes {
  uint32_t begin, end;

  bool overlaps(Bytes other) const {
    return begin < other.end && other.begin < end;
  }
  bool contains(Bytes other) const {
    return begin <= other.begin && other.end <= end;
  }
};

/// One of them.
struct Access {
  /// A copy of a box from a tensor or to one, a matmul that reads an operand,
  /// or a thread that stores or loads.
  enum class Kind { CopyIn, CopyOut, Matmul, Store, Load };

  Kind kind;
  Bytes bytes;
  /// The barrier of a copy from a tensor; else the thread.
  int32_t owner;
  /// The round of the barrier, or the time of a store or a load.
  uint32_t when;
  /// When what was stored was fenced, or a copy to a tensor waited for; 0 is
  /// never.
  uint32_t readyWhen = 0;
  std::shared_ptr<const WgmmaEnd> end = nullptr;
};

class Accesses {
public:
  explicit Accesses(const Knowledge &knowledge) : knowledge(knowledge) {}

  bool isEmpty() const { return all.empty(); }
  /// What the thread may not read yet, or not write yet. Copies and matmuls
  /// need a fence to see what threads stored.
  const Access *findUnwritten(int32_t thread, Bytes bytes,
                              bool needsFence) const;
  const Access *findUsed(int32_t thread, Bytes bytes) const;

  /// Adds one that is in order; what it overwrites is forgotten.
  void add(Access access);
  /// The thread fences what it stored so far.
  void fence(int32_t thread);
  /// The thread has waited for its copies to tensors up to that one.
  void endCopiesOut(int32_t thread, uint32_t group);
  bool hasCopiesOut(int32_t thread) const;
  /// A copy that may not have arrived, as far as the thread knows.
  const Access *findArriving(int32_t thread) const;

private:
  bool isOver(int32_t thread, const Access &access, bool needsFence) const;

  const Knowledge &knowledge;
  std::vector<Access> all;
};

/// What it is, as in "a copy overwrites ...".
std::string describe(const Access &access, const ClusterShape &shape);

} // namespace tegula::emulator

#endif // TEGULA_BACKENDS_CUDA_EMULATOR_ACCESSES_H
