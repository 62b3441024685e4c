// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/ops/attributes/IndexLocations.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;
using namespace tegula;

// The locations of indices are the metadata of the op's location: parts of it
// that are equal would become one.

Location pl::withIndexLocations(Location loc, ArrayRef<Location> locations) {
  SmallVector<Attribute> attributes(locations.begin(), locations.end());
  MLIRContext *context = loc.getContext();
  return FusedLoc::get({loc}, ArrayAttr::get(context, attributes), context);
}

/// The locations of indices in an op's location; null if there are none.
static ArrayAttr findLocations(Location loc) {
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findLocations(call.getCallee());
  if (auto named = dyn_cast<NameLoc>(loc))
    return findLocations(named.getChildLoc());
  auto fused = dyn_cast<FusedLoc>(loc);
  return fused ? dyn_cast_or_null<ArrayAttr>(fused.getMetadata()) : ArrayAttr();
}

Location pl::locationOfIndex(Location loc, int64_t axis) {
  ArrayAttr locations = findLocations(loc);
  if (!locations || locations.empty())
    return loc;
  int64_t last = static_cast<int64_t>(locations.size()) - 1;
  return cast<LocationAttr>(locations[std::min(axis, last)]);
}

bool pl::hasIndexLocations(Location loc) {
  return static_cast<bool>(findLocations(loc));
}
