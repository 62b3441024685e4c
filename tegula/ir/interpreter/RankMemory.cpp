// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/interpreter/RankMemory.h"

#include "tegula/ir/ForEachRow.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::pl;

RankMemory::RankMemory(int64_t ranks)
    : windows(ranks), numTensors(ranks), updated(ranks, -1) {}

/// Memory of so many bytes, all 0; an empty one has an address of its own too.
static std::shared_ptr<char[]> allocate(int64_t bytes) {
  return std::shared_ptr<char[]>(new char[bytes + 1]());
}

Memory RankMemory::addWindow(int64_t rank, int64_t bytes) {
  std::shared_ptr<char[]> owner = allocate(bytes);
  auto number = static_cast<int64_t>(windows[rank].size());
  windows[rank].push_back(owner.get());
  add({owner.get(), owner.get() + bytes, owner, rank, number});
  return Memory{TensorView(owner.get(), DType::UInt8, {bytes}), owner};
}

std::shared_ptr<char[]> RankMemory::addTensor(int64_t rank, int64_t bytes) {
  size_t number = numTensors[rank]++;
  if (number == tensors.size()) {
    tensors.push_back({allocate(bytes), bytes});
    const std::shared_ptr<char[]> &owner = tensors.back().owner;
    add({owner.get(), owner.get() + bytes, owner});
  }
  const Tensor &tensor = tensors[number];
  return tensor.bytes == bytes ? tensor.owner : nullptr;
}

void RankMemory::addArgument(const TensorView &view) {
  std::vector<ByteRange> ranges = getByteRanges(view);
  for (const ByteRange &range : ranges)
    add({range.begin, range.end, nullptr});
}

const SharedRegion *RankMemory::find(const char *address) const {
  auto next = regions.upper_bound(address);
  if (next == regions.begin())
    return nullptr;
  const SharedRegion &region = std::prev(next)->second;
  return address < region.end ? &region : nullptr;
}

/// The first byte of a view.
static char *firstByte(const TensorView &view) {
  return isHalfByte(view.dtype)
             ? reinterpret_cast<char *>(byteOfHalf(view.getFirstElement()))
             : view.getFirstElement();
}

/// The same view, so many bytes further.
static Memory moved(const Memory &part, int64_t bytes,
                    std::shared_ptr<char[]> owner) {
  Memory other = part;
  other.view.data = part.view.getFirstElement() +
                    (isHalfByte(part.view.dtype) ? 2 * bytes : bytes);
  other.owner = std::move(owner);
  return other;
}

std::optional<Memory> RankMemory::findAtPeer(int64_t rank, const Memory &part,
                                             int64_t peer) const {
  const SharedRegion *own = find(firstByte(part.view));
  if (!own || own->rank != rank)
    return std::nullopt;
  char *begin = windows[peer][own->number];
  return moved(part, begin - own->begin, find(begin)->owner);
}

int64_t RankMemory::findOwner(const TensorView &view) const {
  const SharedRegion *region = find(firstByte(view));
  return region ? region->rank : -1;
}

Memory RankMemory::stage(const Memory &part) {
  std::vector<ByteRange> ranges = getByteRanges(part.view);
  char *begin = ranges.front().begin, *end = ranges.back().end;
  StagedWrite write{allocate(end - begin), nullptr, begin, {}};
  write.begin = write.owner.get();
  std::copy(begin, end, write.begin);
  add({write.begin, write.begin + (end - begin), write.owner, find(begin)->rank,
       -1, begin});
  Memory copy = moved(part, write.begin - begin, write.owner);
  staged[write.begin] = std::move(write);
  return copy;
}

std::optional<StagedWrite> RankMemory::endStage(const TensorView &view) {
  const SharedRegion *region = find(firstByte(view));
  if (!region || !region->target)
    return std::nullopt;
  char *begin = region->begin;
  regions.erase(begin);
  auto found = staged.find(begin);
  StagedWrite write = std::move(found->second);
  staged.erase(found);
  return write;
}

void StagedWrite::deliver() const {
  for (const ByteRange &range : written)
    std::copy(range.begin, range.end, target + (range.begin - begin));
}

/// "a window of rank 1"
static std::string describeMemory(const SharedRegion &region) {
  return region.rank < 0 ? "a tensor"
                         : "a window of rank " + std::to_string(region.rank);
}

static LogicalResult reportRace(Operation *op, const RankAccess &access,
                                const RankAccess &other,
                                const SharedRegion &region) {
  InFlightDiagnostic error =
      op->emitError("race: rank ")
      << access.rank << " " << verbOf(access.use) << " a part of "
      << describeMemory(region) << " that rank " << other.rank << " "
      << verbOf(other.use) << ", and nothing says which comes first";
  error.attachNote(other.op->getLoc())
      << "rank " << other.rank << " " << verbOf(other.use) << " it here";
  return error;
}

LogicalResult RankMemory::useRange(Operation *op, ByteRange range,
                                   RankAccess access,
                                   const RankKnowledge &knowledge) {
  const SharedRegion *region = find(range.begin);
  if (!region)
    return success();
  if (region->rank >= 0 && updated[access.rank] == region->rank)
    access.use = RankUse::Update;
  if (region->target) {
    if (access.use != RankUse::Read)
      staged[region->begin].written.push_back(range);
    int64_t distance = region->target - region->begin;
    range = {range.begin + distance, range.end + distance};
  }
  const RankClock &clock =
      region->rank < 0 ? knowledge.tensors : knowledge.windows;
  access.time = clock[access.rank];
  std::optional<RankAccess> other = history.add(range, access, clock);
  return other ? reportRace(op, access, *other, *region) : success();
}

LogicalResult RankMemory::use(Operation *op, RankUse use,
                              const TensorView &view, ArrayRef<int64_t> extents,
                              int64_t rank, const RankKnowledge &knowledge) {
  LogicalResult result = success();
  forEachByteRange(view, extents, [&](ByteRange range) {
    if (succeeded(result))
      result = useRange(op, range, {rank, use, 0, op}, knowledge);
  });
  return result;
}
