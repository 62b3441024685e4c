// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/transforms/plan/TensorLifetimes.h"

using namespace mlir;
using namespace tegula;

/// For each op of a block, so that time is linear in their number.
static constexpr int64_t usesPerOp = 64;
static constexpr int64_t leastUses = 1 << 14;

TensorLifetimes::TensorLifetimes(Block &home) : home(home) {
  for (Operation &op : home) {
    positions[&op] = ops.size();
    ops.push_back(&op);
  }
  usesLeft = std::max<int64_t>(leastUses, usesPerOp * ops.size());
}

Lifetime TensorLifetimes::find(pl::CreateTensorOp tensor) {
  Lifetime lifetime = {~0u, 0};
  waiting.clear();
  seen.clear();
  follow(tensor.getResult());
  while (!waiting.empty()) {
    Value value = waiting.pop_back_val();
    for (Operation *user : value.getUsers()) {
      if (--usesLeft < 0 || !touch(user, lifetime)) {
        lifetime.first = std::min(lifetime.first, positions[tensor]);
        lifetime.last = getEnd();
        return lifetime;
      }
      followThrough(user);
    }
  }
  if (lifetime.first > lifetime.last)
    lifetime.first = lifetime.last = positions[tensor];
  return lifetime;
}

/// True if the user gives an address, whose uses nobody sees.
static bool givesAddress(Operation *user) {
  return llvm::any_of(user->getResultTypes(), [](Type type) {
    return !type.isIntOrIndexOrFloat() &&
           !isa<pl::TileType, pl::TensorViewType>(type);
  });
}

/// Widens the lifetime by the op of the block that the user is, or is in; false
/// if it is in none, ends the block, or gives an address there.
bool TensorLifetimes::touch(Operation *user, Lifetime &lifetime) {
  Operation *op = home.findAncestorOpInBlock(*user);
  if (!op || op == home.getTerminator() || (op == user && givesAddress(user)))
    return false;
  unsigned position = positions[op];
  lifetime.first = std::min(lifetime.first, position);
  lifetime.last = std::max(lifetime.last, position);
  return true;
}

void TensorLifetimes::follow(Value value) {
  if (isa<pl::TileType, pl::TensorViewType>(value.getType()) &&
      seen.insert(value).second)
    waiting.push_back(value);
}

void TensorLifetimes::followAll(ValueRange values) {
  for (Value value : values)
    follow(value);
}

/// Loops and branches may hand anything that goes in to any position inside,
/// and anything that their regions end with to the next iteration and to what
/// follows.
void TensorLifetimes::followThrough(Operation *user) {
  Operation *around =
      user->hasTrait<OpTrait::IsTerminator>() ? user->getParentOp() : user;
  followAll(around->getResults());
  for (Region &region : around->getRegions())
    for (Block &block : region)
      followAll(block.getArguments());
}
