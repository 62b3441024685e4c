// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory of which every rank has a part, and how a rank reaches that of
/// another. Either all parts are mapped in every process, or they are read and
/// written by messages.

#ifndef TEGULA_DIST_TRANSPORT_H
#define TEGULA_DIST_TRANSPORT_H

#include "tegula/launch/Problem.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace tegula {

/// Whose memory a segment is: each rank has a part, or there is one for all.
enum class SegmentKind { PerRank, OneForAll };

/// As much memory on every rank, in pieces that lie anywhere.
struct Segment {
  /// What the transport knows it by.
  int32_t number = -1;
  /// On each rank.
  int64_t bytes = 0;
  /// Where the part of each rank is in this process; null if it is reached by
  /// messages. That of this rank never is. Of one for all it is the same.
  std::vector<char *> parts = {};
};

/// Strided elements that begin at an offset of a segment. Strides are in bytes.
struct RemoteBox {
  int32_t segment;
  int64_t peer;
  int64_t offset;
  llvm::ArrayRef<int64_t> sizes;
  llvm::ArrayRef<int64_t> strides;
  int64_t elementBytes;
};

/// How ranks reach memory of each other that is not mapped. Any thread may use
/// it.
class Messages {
public:
  virtual ~Messages() = default;

  /// Copies elements of a peer to `memory`, which has the same strides, or
  /// back. They are there when it returns.
  virtual Problem read(const RemoteBox &box, void *memory) = 0;
  virtual Problem write(const RemoteBox &box, const void *memory) = 0;

  /// Adds to, or sets, an INT32 of a peer after all that was written there.
  virtual Problem addTo(const RemoteBox &word, int32_t value) = 0;
  virtual Problem setTo(const RemoteBox &word, int32_t value) = 0;
  /// Sets an INT32 of a peer if it is `expected`; `found` is what it was.
  virtual Problem replace(const RemoteBox &word, int32_t expected,
                          int32_t value, int32_t &found) = 0;

  /// Lets messages of others arrive.
  virtual void poll() = 0;
};

/// The ranks of a job as processes.
class Transport {
public:
  virtual ~Transport() = default;

  int64_t getRank() const { return rank; }
  int64_t getCount() const { return count; }
  /// How many ranks are on this machine.
  int64_t getLocalCount() const { return localCount; }

  /// Makes a zeroed segment. All ranks call it in the same order, and all get
  /// one, or all a problem. One for all can be had only if memory is mapped.
  virtual Problem createSegment(int64_t bytes, SegmentKind kind,
                                Segment &segment) = 0;

  /// How memory of others is reached; null if all of it is mapped.
  virtual Messages *getMessages() { return nullptr; }

  /// Sets what is called when this process is about to leave the job.
  virtual void setLeaving(void (*leaving)(void *), void *context) = 0;
  /// True once the job has ended for this process.
  virtual bool isOver() const = 0;

protected:
  int64_t rank = 0, count = 1, localCount = 1;
};

} // namespace tegula

#endif // TEGULA_DIST_TRANSPORT_H
