// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/RankCall.h"

#include "tegula/dist/memory/TensorStage.h"

#include <cstring>

using namespace tegula;

namespace {

/// What ranks must agree on of a call, besides the program: extents, strides
/// that say where an element lies, and numbers.
class AgreedCall {
public:
  AgreedCall(const Signature &signature, const int64_t *slots)
      : signature(signature), slots(slots) {}

  uint64_t hash(const std::string &key) const {
    uint64_t hash = std::hash<std::string>()(key);
    auto add = [&](int64_t number) {
      hash = (hash ^ static_cast<uint64_t>(number)) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 32;
    };
    forEach([&](const Parameter &parameter, const int64_t *slot) {
      if (!parameter.isTensor())
        return add(slot[0]);
      size_t rank = parameter.axes->size();
      for (size_t axis = 0; axis < rank; ++axis) {
        add(slot[1 + axis]);
        // Of one element it does not matter where the next would be.
        add(slot[1 + axis] > 1 ? slot[1 + rank + axis] : 0);
      }
    });
    return hash;
  }

  /// "f(x: [4, 8] by [8, 1], n = 3) of 1f3a"
  std::string describe(const std::string &key) const {
    std::string text;
    forEach([&](const Parameter &parameter, const int64_t *slot) {
      text += (text.empty() ? "" : ", ") + parameter.name;
      if (!parameter.isTensor()) {
        text += " = " + formatNumber(parameter, slot[0]);
        return;
      }
      size_t rank = parameter.axes->size();
      text += ": " + formatList(slot + 1, rank);
      if (!isDense(slot + 1, rank))
        text += " by " + formatList(slot + 1 + rank, rank);
    });
    return signature.kernel + "(" + text + ") of " + key;
  }

private:
  template <typename Use> void forEach(const Use &use) const {
    const int64_t *slot = slots;
    for (const Parameter &parameter : signature.parameters) {
      use(parameter, slot);
      slot += parameter.isTensor() ? 1 + 2 * parameter.axes->size() : 1;
    }
  }
  static std::string formatList(const int64_t *numbers, size_t count) {
    std::string text = "[";
    for (size_t index = 0; index < count; ++index)
      text += (index == 0 ? "" : ", ") + std::to_string(numbers[index]);
    return text + "]";
  }
  static bool isDense(const int64_t *shape, size_t rank) {
    int64_t stride = 1;
    for (size_t axis = rank; axis-- > 0; stride *= shape[axis])
      if (shape[axis] > 1 && shape[rank + axis] != stride)
        return false;
    return true;
  }
  static std::string formatNumber(const Parameter &parameter, int64_t bits) {
    float single;
    double real;
    std::memcpy(&single, &bits, sizeof(single));
    std::memcpy(&real, &bits, sizeof(real));
    if (parameter.dtype == DType::FP32)
      return std::to_string(single);
    return parameter.dtype == DType::FP64 ? std::to_string(real)
                                          : std::to_string(bits);
  }

  const Signature &signature;
  const int64_t *slots;
};

} // namespace

Problem RankCaller::agree(const Variant &variant, const std::string &key,
                          const int64_t *slots, CallLocation location) {
  // Numbers may be others at each call.
  constexpr size_t most = 4096;
  AgreedCall call(variant.guard.getSignature(), slots);
  uint64_t hash = call.hash(key);
  if (agreed.count(hash))
    return {};
  if (Problem problem = ranks.agree(call.describe(key), location))
    return problem;
  if (agreed.size() >= most)
    agreed.clear();
  agreed.insert(hash);
  return {};
}

Problem RankCaller::call(const Variant &variant, const std::string &key,
                         llvm::ArrayRef<Argument> arguments) {
  int64_t slots[Guard::maxSlots];
  if (Problem problem = variant.guard.check(arguments, slots))
    return problem;
  if (!variant.function)
    return Problem(Problem::Kind::Call,
                   "only code for this processor runs on several ranks");
  TegulaCallState state = {};
  CallLocation location = {&state, -1};
  ranks.hold();
  Problem problem = agree(variant, key, slots, location);
  TensorStage stage(variant.guard.getSignature(), slots);
  if (!problem && stage.allocateCopies(
                      [&](const void *data) { return ranks.isShared(data); },
                      [&](int64_t bytes) {
                        return ranks.allocateShared(bytes, location);
                      })) {
    bool isDirect = ranks.isDirect();
    stage.copyIn(isDirect ? ranks.getRank() : 0,
                 isDirect ? ranks.getCount() : 1);
    if (!stage.isEmpty())
      ranks.barrier(OwnBarrier::Staged, location);
    RankGroup *before = chooseRanks(&ranks);
    if (state.error == TegulaNoError)
      variant.function(slots, &state);
    chooseRanks(before);
    if (state.error == TegulaNoError)
      stage.copyOut();
  }
  if (!problem && state.error != TegulaNoError) {
    // What is known of ranks is asked of the group that ran it.
    RankGroup *before = chooseRanks(&ranks);
    problem = describeRunProblem(state, variant.sites);
    chooseRanks(before);
  }
  ranks.finish(location);
  return problem;
}
