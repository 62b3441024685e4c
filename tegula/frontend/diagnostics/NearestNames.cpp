// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/diagnostics/NearestNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using llvm::StringRef;

/// How many letters at most are other than they were meant: longer names are
/// not misspellings, and take long to compare.
static unsigned furthest(StringRef name) {
  return name.size() > 64 ? 0 : name.size() < 6 ? 1 : 2;
}

static llvm::SmallVector<StringRef> nearest(StringRef name,
                                            llvm::ArrayRef<StringRef> names) {
  constexpr size_t most = 3;
  llvm::SmallVector<StringRef> found;
  unsigned distance = furthest(name);
  if (distance == 0)
    return found;
  for (StringRef other : names) {
    unsigned edits = name.edit_distance_insensitive(
        other, /*AllowReplacements=*/true, distance);
    if (edits > distance || edits >= name.size())
      continue;
    if (edits < distance)
      found.clear();
    distance = edits;
    if (found.size() < most && !llvm::is_contained(found, other))
      found.push_back(other);
  }
  return found;
}

std::string tegula::didYouMean(StringRef name, llvm::ArrayRef<StringRef> names,
                               StringRef prefix) {
  llvm::SmallVector<StringRef> found = nearest(name, names);
  std::string text;
  for (auto [index, other] : llvm::enumerate(found)) {
    bool isLast = index + 1 == found.size();
    text += index == 0 ? "" : isLast ? " or " : ", ";
    text += ("'" + prefix + other + "'").str();
  }
  return text.empty() ? "" : "; did you mean " + text + "?";
}
