// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What teams of threads find out about the elements of a row together: where
// the best is, and what those up to each sum up to.

#include "tegula/launch/gpu/device/DeviceRows.h"

using namespace tegula;
using namespace tegula::gpu;

namespace {

/// The best element that was seen, and where. Nothing is at -1.
struct Found {
  uint64_t order;
  int64_t place;

  bool isBefore(const Found &other) const {
    if (place < 0 || other.place < 0)
      return place >= 0;
    return order != other.order ? order < other.order : place < other.place;
  }
};

} // namespace

/// A thread has a row for itself.
template <typename Element>
static void scanAlone(const Row &from, const Row &to) {
  Element sum = 0;
  for (int64_t i = 0; i < least(from.length, to.length); ++i)
    to.as<Element>(i) = sum += from.as<Element>(i);
}

/// What the threads of a team before this one, and all of them, have together.
/// All threads of the block call it.
template <typename Element>
static void sumBefore(const Team &team, Element own, Element &before,
                      Element &all) {
  auto *sums = reinterpret_cast<Element *>(tegulaGpuPartials());
  int32_t self = tegulaGpuThread();
  sums[self] = own;
  tegulaGpuBarrier();
  for (int32_t apart = 1; apart < team.width; apart *= 2) {
    Element earlier = team.lane >= apart ? sums[self - apart] : Element(0);
    tegulaGpuBarrier();
    sums[self] += earlier;
    tegulaGpuBarrier();
  }
  before = team.lane > 0 ? sums[self - 1] : Element(0);
  all = sums[self - team.lane + team.width - 1];
  tegulaGpuBarrier();
}

/// Teams walk through rows some elements of each thread at a time.
template <typename Element> static void scan(const Rows &all) {
  constexpr int64_t each = 4;
  int64_t rows = all.count();
  int64_t length = least(all.get(0, 0, 1).length, all.get(1, 0, 1).length);
  Team team(rows, (length + each - 1) / each);
  for (int64_t start = 0; start < rows; start += team.count) {
    int64_t number = start + team.number;
    bool isThere = number < rows;
    Row from = all.get(0, isThere ? number : 0, sizeof(Element)),
        to = all.get(1, isThere ? number : 0, sizeof(Element));
    if (team.width == 1) {
      if (isThere)
        scanAlone<Element>(from, to);
      continue;
    }
    Element sum = 0;
    for (int64_t first = 0; first < length; first += each * team.width) {
      int64_t own = first + each * team.lane;
      Element sums[each], before, together;
      for (int64_t i = 0; i < each; ++i) {
        bool isInside = isThere && own + i < length;
        Element next = isInside ? from.as<Element>(own + i) : Element(0);
        sums[i] = i > 0 ? sums[i - 1] + next : next;
      }
      sumBefore(team, sums[each - 1], before, together);
      for (int64_t i = 0; i < each; ++i)
        if (isThere && own + i < length)
          to.as<Element>(own + i) = sum + (before + sums[i]);
      sum += together;
    }
  }
}

extern "C" {

void tegulaGpuScanRows(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                       int64_t, int64_t dtype, int64_t, TegulaCallState *,
                       int32_t) {
  Rows all{rows, rank};
  auto type = static_cast<DType>(dtype);
  if (type == DType::FP32)
    scan<float>(all);
  else if (type == DType::FP64)
    scan<double>(all);
  else if (getSize(type) == 4)
    scan<uint32_t>(all);
  else
    scan<uint64_t>(all);
  tegulaGpuBarrier();
}

void tegulaGpuArgReduce(TegulaGpuArena *, const int64_t *rows, int64_t rank,
                        int64_t, int64_t dtype, int64_t isMax, int64_t,
                        TegulaCallState *, int32_t) {
  auto type = static_cast<DType>(dtype);
  Rows all{rows, rank};
  int64_t count = all.count(), length = all.get(0, 0, 1).length;
  // Two numbers for each thread.
  auto *found = reinterpret_cast<Found *>(tegulaGpuPartials());
  int32_t self = tegulaGpuThread();
  Team team(count, length);
  for (int64_t start = 0; start < count; start += team.count) {
    int64_t number = start + team.number;
    bool isThere = number < count;
    Found best = {0, -1};
    if (isThere) {
      Row row = all.get(0, number, getSize(type));
      for (int64_t i = team.lane; i < length; i += team.width) {
        // The first NaN is wanted either way.
        auto order = orderOf<uint64_t>(row.at(i), type);
        bool isNan = isFloat(type) && order == ~uint64_t(0);
        Found next = {isMax ? ~order : isNan ? 0 : order, i};
        if (next.isBefore(best))
          best = next;
      }
    }
    for (int32_t half = team.width / 2; half > 0; half /= 2) {
      found[self] = best;
      tegulaGpuBarrier();
      if (team.lane < half && found[self + half].isBefore(best))
        best = found[self + half];
      tegulaGpuBarrier();
    }
    if (isThere && team.lane == 0) {
      Row target = all.get(1, number, 4);
      if (target.length > 0)
        target.as<int32_t>(0) = best.place;
    }
  }
  tegulaGpuBarrier();
}

} // extern "C"
