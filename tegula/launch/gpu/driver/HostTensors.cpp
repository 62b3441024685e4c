// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/launch/gpu/driver/HostTensors.h"

#include "tegula/support/HalfBytes.h"

#include <algorithm>
#include <cstring>

using namespace tegula;
using namespace tegula::cuda;

namespace {

/// The bytes from the first to the last element of a tensor; none if it is
/// empty.
struct Span {
  Address start = 0, end = 0;

  Span(const GpuTensor &tensor, const int64_t *slots) {
    int64_t first = 0, last = 0;
    const int64_t *sizes = slots + tensor.slot + 1;
    const int64_t *strides = sizes + tensor.rank;
    for (int64_t axis = 0; axis < tensor.rank; ++axis) {
      if (sizes[axis] == 0)
        return;
      int64_t reach = (sizes[axis] - 1) * strides[axis];
      (reach < 0 ? first : last) += reach;
    }
    auto address = static_cast<Address>(slots[tensor.slot]);
    if (tensor.elementBits >= 8) {
      int64_t bytes = tensor.elementBits / 8;
      start = address + first * bytes;
      end = address + (last + 1) * bytes;
      return;
    }
    // Addresses of half bytes are twice those of bytes, and marked.
    Address half = address & halfByteMark ? address << 1 >> 1 : address << 1;
    start = (half + first) / 2;
    end = (half + last) / 2 + 1;
  }
};

/// Calls `visit` with the offset of every element, in elements.
template <typename Visit>
void forEachElement(const int64_t *sizes, const int64_t *strides, int64_t rank,
                    int64_t offset, Visit visit) {
  if (rank == 0)
    return visit(offset);
  for (int64_t i = 0; i < sizes[0]; ++i)
    forEachElement(sizes + 1, strides + 1, rank - 1, offset + i * strides[0],
                   visit);
}

} // namespace

HostTensors::HostTensors(const Driver &driver, const GpuProgram &program,
                         const int64_t *given, Stream stream)
    : driver(driver), program(program), stream(stream), given(given) {}

HostTensors::~HostTensors() {
  for (const Range &range : ranges)
    if (range.copy)
      driver.free(range.copy, stream);
}

/// The driver does not know memory that is not its own.
bool HostTensors::isOnHost(Address address) const {
  int type = 0;
  return driver.pointerAttribute(&type, memoryTypeOfPointer, address) != 0 ||
         type != deviceMemory;
}

const HostTensors::Range &HostTensors::findRange(Address address) const {
  return *std::find_if(ranges.begin(), ranges.end(), [&](const Range &range) {
    return range.start <= address && address < range.end;
  });
}

Result HostTensors::copyIn() {
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    Span span(program.tensors[i], given);
    if (span.start == span.end || !isOnHost(span.start))
      continue;
    copied.push_back(i);
    ranges.push_back({span.start, span.end, 0});
  }
  if (ranges.empty())
    return 0;
  std::sort(ranges.begin(), ranges.end(),
            [](const Range &a, const Range &b) { return a.start < b.start; });
  std::vector<Range> merged = {ranges.front()};
  for (const Range &range : ranges)
    if (range.start < merged.back().end)
      merged.back().end = std::max(merged.back().end, range.end);
    else
      merged.push_back(range);
  ranges = std::move(merged);
  for (Range &range : ranges) {
    auto bytes = static_cast<size_t>(range.end - range.start);
    if (Result result = driver.allocate(&range.copy, bytes, stream))
      return result;
    if (Result result = driver.copyIn(
            range.copy, reinterpret_cast<const void *>(range.start), bytes,
            stream))
      return result;
  }
  slots.assign(given, given + program.numSlots);
  for (size_t i : copied) {
    const GpuTensor &tensor = program.tensors[i];
    const Range &range = findRange(Span(tensor, given).start);
    auto moved = static_cast<int64_t>(range.copy - range.start);
    bool isHalf = tensor.elementBits < 8 &&
                  static_cast<Address>(given[tensor.slot]) & halfByteMark;
    slots[tensor.slot] += isHalf ? 2 * moved : moved;
  }
  return 0;
}

/// Bytes between elements may have changed by now, and are not ours.
Result HostTensors::copyOut() {
  std::vector<std::vector<char>> back(ranges.size());
  for (size_t i = 0; i < ranges.size(); ++i) {
    back[i].resize(ranges[i].end - ranges[i].start);
    if (Result result = driver.copyOut(back[i].data(), ranges[i].copy,
                                       back[i].size(), stream))
      return result;
  }
  if (Result result = driver.synchronize(stream))
    return result;
  for (size_t i : copied) {
    const GpuTensor &tensor = program.tensors[i];
    if (!tensor.isWritten)
      continue;
    const Range &range = findRange(Span(tensor, given).start);
    const char *copy = back[&range - ranges.data()].data();
    const int64_t *sizes = given + tensor.slot + 1;
    int64_t bytes = tensor.elementBits / 8;
    auto *to = reinterpret_cast<char *>(given[tensor.slot]);
    if (bytes == 0)
      to = toHalfByte(to);
    forEachElement(
        sizes, sizes + tensor.rank, tensor.rank, 0, [&](int64_t offset) {
          if (bytes != 0) {
            char *target = to + offset * bytes;
            auto at = reinterpret_cast<Address>(target) - range.start;
            std::memcpy(target, copy + at, bytes);
            return;
          }
          char *target = to + offset;
          auto at = reinterpret_cast<Address>(byteOfHalf(target)) - range.start;
          uint8_t both = static_cast<uint8_t>(copy[at]);
          writeHalfByte(target, isHighHalf(target) ? both >> 4 : both & 15);
        });
  }
  return 0;
}
