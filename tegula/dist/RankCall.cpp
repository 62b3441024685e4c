// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dist/RankCall.h"

#include "tegula/dist/TensorStage.h"

using namespace tegula;

/// "f(x: [4, 8], y: [4]) of 1f3a"
static std::string describeCall(const Signature &signature,
                                const int64_t *slots, const std::string &key) {
  std::string text;
  forEachTensorSlot(signature, [&](const Parameter &parameter, unsigned slot) {
    text += (text.empty() ? "" : ", ") + parameter.name + ": [";
    for (size_t axis = 0; axis < parameter.axes->size(); ++axis)
      text += (axis == 0 ? "" : ", ") + std::to_string(slots[slot + 1 + axis]);
    text += "]";
  });
  return signature.kernel + "(" + text + ") of " + key;
}

Problem RankCaller::agree(const Variant &variant, const std::string &key,
                          const int64_t *slots, CallPlace place) {
  uint64_t hash = std::hash<std::string>()(key);
  forEachTensorSlot(
      variant.guard.getSignature(),
      [&](const Parameter &parameter, unsigned slot) {
        for (size_t axis = 0; axis < parameter.axes->size(); ++axis)
          hash = (hash ^ slots[slot + 1 + axis]) * uint64_t(0x9e3779b97f4a7c15);
      });
  if (agreed.count(hash))
    return {};
  if (Problem problem = ranks.agree(
          describeCall(variant.guard.getSignature(), slots, key), place))
    return problem;
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
  CallPlace place = {&state, -1};
  ranks.hold();
  Problem problem = agree(variant, key, slots, place);
  TensorStage stage(variant.guard.getSignature(), slots);
  if (!problem &&
      stage.place(
          [&](const void *data) { return ranks.isShared(data); },
          [&](int64_t bytes) { return ranks.allocateShared(bytes, place); })) {
    bool isDirect = ranks.isDirect();
    stage.copyIn(isDirect ? ranks.getRank() : 0,
                 isDirect ? ranks.getCount() : 1);
    if (!stage.isEmpty())
      ranks.meet(OwnMeeting::Staged, place);
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
  ranks.finish(place);
  return problem;
}
