// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/mpi/MpiTransport.h"

#include <cstring>

using namespace tegula;

Problem SharedTransport::createSegment(int64_t bytes, SegmentKind kind,
                                       Segment &segment) {
  bool isOne = kind == SegmentKind::OneForAll;
  bool isOwner = !isOne || rank == 0;
  MPI_Aint size = isOwner ? bytes + segmentAlignment : 0;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  char *own = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  int error = MPI_Win_allocate_shared(size, 1, info, ranks, &own, &window);
  MPI_Info_free(&info);
  if (Problem problem = agreeOn(error, "share memory"))
    return problem;
  segment.number = windows.size();
  segment.bytes = bytes;
  windows.push_back(window);
  for (int64_t peer = 0; peer < count; ++peer) {
    MPI_Aint found = 0;
    int unit = 1;
    char *part = nullptr;
    MPI_Win_shared_query(window, isOne ? 0 : peer, &found, &unit, &part);
    segment.parts.push_back(alignSegment(part));
  }
  // Pages belong to whoever touches them first.
  if (isOwner)
    std::memset(segment.parts[rank], 0, bytes);
  return agreeOn(MPI_SUCCESS, "share memory");
}
