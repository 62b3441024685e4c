// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/mpi/MpiTransport.h"

#include <cassert>
#include <climits>
#include <cstring>

using namespace tegula;

Problem OneSidedTransport::createSegment(int64_t bytes, SegmentKind kind,
                                         Segment &segment) {
  assert(kind == SegmentKind::PerRank && "memory is not mapped");
  char *given = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  int error = MPI_Win_allocate(bytes + segmentAlignment, 1, MPI_INFO_NULL,
                               ranks, &given, &window);
  if (Problem problem = agreeOn(error, "make a window"))
    return problem;
  MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  char *own = alignSegment(given);
  std::memset(own, 0, bytes);
  const int64_t start = own - given;
  std::vector<int64_t> all(count);
  error =
      MPI_Allgather(&start, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, ranks);
  if (!error)
    error = MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  starts.push_back(std::move(all));
  segment.number = windows.size();
  segment.bytes = bytes;
  segment.parts.assign(count, nullptr);
  segment.parts[rank] = own;
  windows.push_back(window);
  return agreeOn(error, "open a window");
}

namespace {

/// The elements of a box as a type of MPI.
class BoxType {
public:
  explicit BoxType(const RemoteBox &box) {
    MPI_Type_contiguous(box.elementBytes, MPI_BYTE, &type);
    for (size_t axis = box.sizes.size(); axis-- > 0;) {
      MPI_Datatype inner = type;
      MPI_Type_create_hvector(box.sizes[axis], 1, box.strides[axis], inner,
                              &type);
      MPI_Type_free(&inner);
    }
    MPI_Type_commit(&type);
  }
  ~BoxType() { MPI_Type_free(&type); }

  MPI_Datatype type;
};

/// An axis that has more elements than MPI counts; the rank if there is none.
size_t findLongAxis(const RemoteBox &box) {
  size_t axis = 0;
  while (axis < box.sizes.size() && box.sizes[axis] <= INT_MAX)
    ++axis;
  return axis;
}

/// Calls `move` for boxes that are small enough, with where they begin.
template <typename Move>
Problem divide(const RemoteBox &box, int64_t start, const Move &move) {
  size_t axis = findLongAxis(box);
  if (axis == box.sizes.size())
    return move(box, start);
  std::vector<int64_t> sizes(box.sizes.begin(), box.sizes.end());
  int64_t half = sizes[axis] / 2;
  RemoteBox part = box;
  sizes[axis] = half;
  part.sizes = sizes;
  if (Problem problem = divide(part, start, move))
    return problem;
  sizes[axis] = box.sizes[axis] - half;
  part.offset += half * box.strides[axis];
  return divide(part, start + half * box.strides[axis], move);
}

} // namespace

Problem OneSidedTransport::read(const RemoteBox &box, void *memory) {
  MPI_Win window = windows[box.segment];
  return divide(box, 0, [&](const RemoteBox &part, int64_t start) {
    BoxType type(part);
    int error =
        MPI_Get(static_cast<char *>(memory) + start, 1, type.type, part.peer,
                findDisplacement(part), 1, type.type, window);
    if (!error)
      error = MPI_Win_flush(part.peer, window);
    return describeMpiError(error, "read memory of another rank");
  });
}

Problem OneSidedTransport::write(const RemoteBox &box, const void *memory) {
  MPI_Win window = windows[box.segment];
  return divide(box, 0, [&](const RemoteBox &part, int64_t start) {
    BoxType type(part);
    int error =
        MPI_Put(static_cast<const char *>(memory) + start, 1, type.type,
                part.peer, findDisplacement(part), 1, type.type, window);
    if (!error)
      error = MPI_Win_flush(part.peer, window);
    return describeMpiError(error, "write memory of another rank");
  });
}

Problem OneSidedTransport::combine(const RemoteBox &word, int32_t value,
                                   MPI_Op op) {
  MPI_Win window = windows[word.segment];
  int error =
      MPI_Accumulate(&value, 1, MPI_INT32_T, word.peer, findDisplacement(word),
                     1, MPI_INT32_T, op, window);
  if (!error)
    error = MPI_Win_flush(word.peer, window);
  return describeMpiError(error, "notify a rank");
}

Problem OneSidedTransport::addTo(const RemoteBox &word, int32_t value) {
  return combine(word, value, MPI_SUM);
}

Problem OneSidedTransport::setTo(const RemoteBox &word, int32_t value) {
  return combine(word, value, MPI_REPLACE);
}

Problem OneSidedTransport::replace(const RemoteBox &word, int32_t expected,
                                   int32_t value, int32_t &found) {
  MPI_Win window = windows[word.segment];
  int error = MPI_Compare_and_swap(&value, &expected, &found, MPI_INT32_T,
                                   word.peer, findDisplacement(word), window);
  if (!error)
    error = MPI_Win_flush(word.peer, window);
  return describeMpiError(error, "lock memory of another rank");
}

void OneSidedTransport::poll() {
  int isThere = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, ranks, &isThere, MPI_STATUS_IGNORE);
}
