// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/MemoryContents.h"

using namespace tegula;

llvm::SmallVector<MemoryContents::Name, 2>
MemoryContents::clear(const ByteRange &range) {
  llvm::SmallVector<Name, 2> lost;
  auto at = [&](int64_t offset) {
    return Key(range.frame, range.space, offset);
  };
  auto next = pieces.lower_bound(at(range.offset));
  // Pieces never overlap, so only one before this can reach into it.
  if (next != pieces.begin()) {
    auto before = std::prev(next);
    auto [frame, space, offset] = before->first;
    if (frame == range.frame && space == range.space &&
        offset + before->second.bytes > range.offset)
      next = before;
  }
  while (next != pieces.end() && next->first < at(range.offset + range.bytes)) {
    lost.push_back(next->second.name);
    next = pieces.erase(next);
  }
  return lost;
}

llvm::SmallVector<MemoryContents::Name, 2>
MemoryContents::put(Name name, const ByteRange &range) {
  llvm::SmallVector<Name, 2> lost = clear(range);
  pieces[Key(range.frame, range.space, range.offset)] = {range.bytes, name};
  return lost;
}

bool MemoryContents::holds(Name name, const ByteRange &range) const {
  auto found = pieces.find(Key(range.frame, range.space, range.offset));
  return found != pieces.end() && found->second.name == name;
}

bool MemoryContents::meet(const MemoryContents &other) {
  size_t before = pieces.size();
  for (auto piece = pieces.begin(); piece != pieces.end();) {
    auto found = other.pieces.find(piece->first);
    bool isThere =
        found != other.pieces.end() && found->second.name == piece->second.name;
    piece = isThere ? std::next(piece) : pieces.erase(piece);
  }
  return pieces.size() != before;
}
