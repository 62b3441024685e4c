// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What both ways to reach memory over MPI share: the communicator and the end
/// of the job. Only files of this folder know MPI.

#ifndef TEGULA_DIST_MPI_MPITRANSPORT_H
#define TEGULA_DIST_MPI_MPITRANSPORT_H

#include "tegula/dist/Transport.h"

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

namespace tegula {

/// Starts MPI unless that is done already, and ends it with this process if it
/// was started here.
Problem startMpi();

/// What an error of MPI says; nothing if there is none.
Problem describeMpiError(int error, const char *action);

/// MPI gives memory that is aligned to 8 bytes. A part of a segment begins at
/// the first page in it, which is at the same offset for all who map it.
constexpr int64_t segmentAlignment = 4096;
char *alignSegment(char *memory);

/// Ranks of a communicator, which is given up to it.
class MpiTransport : public Transport {
public:
  ~MpiTransport() override;

  void setLeaving(void (*leaving)(void *), void *context) override;
  bool isOver() const override { return over; }

protected:
  MpiTransport(MPI_Comm ranks, int64_t numLocal);

  /// The problem that some rank has, on all of them.
  Problem agreeOn(int error, const char *action);

  MPI_Comm ranks;
  std::vector<MPI_Win> windows;

private:
  static int endJob(MPI_Comm, int, void *transport, void *);

  void (*leaving)(void *) = nullptr;
  void *context = nullptr;
  int key = MPI_KEYVAL_INVALID;
  bool over = false;
};

/// All memory is mapped: the ranks are on one machine.
class SharedTransport : public MpiTransport {
public:
  SharedTransport(MPI_Comm ranks, int64_t numLocal)
      : MpiTransport(ranks, numLocal) {}

  Problem createSegment(int64_t bytes, SegmentKind kind,
                        Segment &segment) override;
};

/// Memory of others is reached by MPI's one-sided operations.
class OneSidedTransport : public MpiTransport, Messages {
public:
  OneSidedTransport(MPI_Comm ranks, int64_t numLocal)
      : MpiTransport(ranks, numLocal) {}

  Messages *getMessages() override { return this; }
  Problem createSegment(int64_t bytes, SegmentKind kind,
                        Segment &segment) override;

private:
  Problem read(const RemoteBox &box, void *memory) override;
  Problem write(const RemoteBox &box, const void *memory) override;
  Problem addTo(const RemoteBox &word, int32_t value) override;
  Problem setTo(const RemoteBox &word, int32_t value) override;
  Problem replace(const RemoteBox &word, int32_t expected, int32_t value,
                  int32_t &found) override;
  void poll() override;

  /// Combines `value` with a word of a peer.
  Problem combine(const RemoteBox &word, int32_t value, MPI_Op op);
  /// Where an offset of a segment is in the window of a peer.
  MPI_Aint findDisplacement(const RemoteBox &box) const {
    return starts[box.segment][box.peer] + box.offset;
  }

  /// Of each segment, where the part of each rank begins in its window.
  std::vector<std::vector<int64_t>> starts;
};

} // namespace tegula

#endif // TEGULA_DIST_MPI_MPITRANSPORT_H
