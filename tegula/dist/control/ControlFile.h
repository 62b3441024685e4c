// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a controlling process and its ranks share: words to begin and end a
/// command, the command, and after them an arena for tensors. It is a file in
/// memory that has no name, so nothing of it is left behind.

#ifndef TEGULA_DIST_CONTROL_CONTROLFILE_H
#define TEGULA_DIST_CONTROL_CONTROLFILE_H

#include "tegula/dist/control/Waiting.h"
#include "tegula/launch/call/Guard.h"
#include "tegula/launch/image/MemoryFile.h"

namespace tegula {

/// What ranks are told to do.
/// Recording begins and ends with a command; events are counted first, and then
/// copied to where the slot of each rank says.
enum class RankCommand : uint32_t {
  Stop,
  Nothing,
  Load,
  /// A window that stays: its offset in the arena and the bytes of each rank
  /// are the first slots.
  Keep,
  Call,
  Record,
  Count,
  Copy
};

/// How one rank is.
struct alignas(64) WorkerSlot {
  int64_t pid;
  /// Whether the last command failed there because another rank did, or for a
  /// reason of its own, and what it says.
  enum class Outcome : uint32_t { Fine, Failed, Followed } outcome;
  /// A rank that did not do its part of it, as seen from this one; -1 if none.
  int64_t lost;
  int64_t numEvents;
  /// The last command that it has done.
  Word done;
  char text[4096];
};

/// A function of the controller that a program calls back, and its tensors.
struct CallbackRequest {
  static constexpr size_t maxTensors = 16;

  struct Tensor {
    /// In the arena.
    int64_t offset;
    int32_t dtype;
    int32_t rank;
    int64_t shape[2 * TensorView::maxRank];
  };
  enum State : uint32_t { Nothing, Asked, Answered };

  Word state;
  int32_t isFine;
  int64_t name;
  int64_t count;
  Tensor tensors[maxTensors];
};

/// The beginning of the file.
struct ControlHeader {
  static constexpr int64_t maxRanks = 256;

  /// Grows with every command.
  alignas(64) Word generation;
  /// Ranks that sleep on it.
  alignas(64) Word sleepers;
  /// Ranks that have done the command.
  alignas(64) Word numDone;
  Word isControllerAsleep;

  alignas(64) RankCommand command;
  int64_t controller;
  /// The program, in the order they were loaded; where its bytes are in the
  /// arena while it is loaded.
  int64_t image;
  int64_t imageOffset, imageBytes;
  /// Tensors are offsets in the arena. Whether to record is the first of them.
  int64_t numSlots;
  int64_t slots[Guard::maxSlots];

  alignas(64) CallbackRequest callback;
  WorkerSlot workers[maxRanks];
};

/// The file, mapped for as much as it may ever grow to.
class ControlFile {
public:
  /// Makes one.
  static Problem create(ControlFile &file);
  /// Opens that of another process.
  static Problem open(const char *path, ControlFile &file);

  ControlFile() = default;
  ControlFile(ControlFile &&other) { *this = std::move(other); }
  ControlFile &operator=(ControlFile &&other);
  ~ControlFile();

  ControlHeader &getHeader() const {
    return *reinterpret_cast<ControlHeader *>(mapped);
  }
  /// Where the arena begins, and how large it can get.
  char *getArena() const;
  int64_t getReserved() const;
  /// Gives the arena so many bytes.
  Problem resize(int64_t bytes);
  /// A path by which processes of the same user open it.
  std::string getPath() const;

private:
  Problem map();

  Descriptor file;
  char *mapped = nullptr;
  int64_t size = 0;
};

} // namespace tegula

#endif // TEGULA_DIST_CONTROL_CONTROLFILE_H
