// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/IndexPlaces.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;
using namespace tegula;

// The places are the metadata of the location: parts of it that are equal would
// become one.

Location pl::withIndexPlaces(Location loc, ArrayRef<Location> places) {
  SmallVector<Attribute> attributes(places.begin(), places.end());
  MLIRContext *context = loc.getContext();
  return FusedLoc::get({loc}, ArrayAttr::get(context, attributes), context);
}

/// The places in a location; null if there are none.
static ArrayAttr findPlaces(Location loc) {
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findPlaces(call.getCallee());
  if (auto named = dyn_cast<NameLoc>(loc))
    return findPlaces(named.getChildLoc());
  auto fused = dyn_cast<FusedLoc>(loc);
  return fused ? dyn_cast_or_null<ArrayAttr>(fused.getMetadata()) : ArrayAttr();
}

Location pl::placeOfIndex(Location loc, int64_t axis) {
  ArrayAttr places = findPlaces(loc);
  if (!places || places.empty())
    return loc;
  int64_t last = static_cast<int64_t>(places.size()) - 1;
  return cast<LocationAttr>(places[std::min(axis, last)]);
}

bool pl::hasIndexPlaces(Location loc) {
  return static_cast<bool>(findPlaces(loc));
}
