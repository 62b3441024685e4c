// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/trace/AskRanks.h"

#include "tegula/backends/npu/trace/CallHooks.h"
#include "tegula/support/Routines.h"
#include "tegula/support/TraceAbi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>

using namespace mlir;
using namespace tegula;

/// Which question a routine becomes; none if it is no routine of ranks.
static std::optional<TegulaTraceQuestion> findQuestion(StringRef routine) {
  return llvm::StringSwitch<std::optional<TegulaTraceQuestion>>(routine)
      .Case(routine::tegulaRank, TegulaTraceRank)
      .Case(routine::tegulaRankCount, TegulaTraceRankCount)
      .Case(routine::tegulaWindowAllocate, TegulaTraceWindowAllocate)
      .Case(routine::tegulaSharedAllocate, TegulaTraceSharedAllocate)
      .Case(routine::tegulaPeerBegin, TegulaTracePeerBegin)
      .Case(routine::tegulaNotify, TegulaTraceNotifies)
      .Case(routine::tegulaWait, TegulaTraceWaits)
      .Case(routine::tegulaMeet, TegulaTraceMeet)
      .Case(routine::tegulaDispatchBegin, TegulaTraceDispatchBegin)
      .Case(routine::tegulaDispatchEnd, TegulaTraceDispatchEnd)
      .Default(std::nullopt);
}

/// Whether a reshape is of the same memory or an error, so that sizes and
/// strides say all.
static bool isReshapeOfSizes(LLVM::CallOp call) {
  constexpr unsigned mustAlias = 5;
  return call.getCallee() == routine::tegulaReshapeView &&
         matchPattern(call.getOperand(mustAlias), m_One());
}

/// What has nothing to tell: what was written has been told, and memory is
/// never there.
static bool saysNothing(StringRef routine) {
  return routine == routine::tegulaPeerEnd ||
         routine == routine::tegulaHostEnd ||
         routine == routine::tegulaCallback;
}

static void ask(LLVM::CallOp call, TegulaTraceQuestion question) {
  OpBuilder builder(call);
  Location loc = call.getLoc();
  auto function = call->getParentOfType<func::FuncOp>();
  CallHooks hooks(builder, function);
  auto fileLoc = loc->findInstanceOf<FileLineColLoc>();
  SmallVector<Value> numbers = {
      hooks.constant(fileLoc ? fileLoc.getLine() : 0, loc)};
  for (Value argument : call.getOperands())
    if (argument != function.getArguments().back())
      numbers.push_back(hooks.toBits(argument, loc));
  Value memory = hooks.store(numbers, loc);
  Value which = arith::ConstantIntOp::create(builder, loc, question, 32);
  LLVM::CallOp answer =
      hooks.call(Hook::Ask, {which, memory}, loc, builder.getI64Type());
  if (call.getNumResults() != 0)
    call.getResult().replaceAllUsesWith(
        hooks.fromBits(answer.getResult(), call.getResult().getType(), loc));
  call.erase();
}

/// How many bytes behind the address the last number ends that is stored there;
/// 0 if none is.
static int64_t findEndOfNumbers(Value address) {
  int64_t end = 0;
  for (Operation *user : address.getUsers()) {
    if (auto store = dyn_cast<LLVM::StoreOp>(user);
        store && store.getAddr() == address)
      end = std::max<int64_t>(end, sizeof(int64_t));
    auto further = dyn_cast<LLVM::GEPOp>(user);
    if (!further || !further.getDynamicIndices().empty())
      continue;
    int64_t step = further.getElemType().getIntOrFloatBitWidth() / 8;
    if (int64_t behind = findEndOfNumbers(further.getResult()))
      end = std::max(end, behind + step * further.getRawConstantIndices()[0]);
  }
  return end;
}

/// How many bytes behind its base an address lies.
static int64_t offsetOf(LLVM::GEPOp gep) {
  int64_t step = gep.getElemType().getIntOrFloatBitWidth() / 8;
  return step * gep.getRawConstantIndices()[0];
}

/// Without its steps code stores nothing in scratch memory but numbers for
/// routines, and those lie close to each other.
static void moveNumbers(LLVM::CallOp scratch) {
  Value frame = scratch.getResult();
  SmallVector<LLVM::GEPOp> geps;
  // What the numbers that begin the frame are used by.
  SmallVector<OpOperand *> uses;
  int64_t first = INT64_MAX, end = findEndOfNumbers(frame);
  for (OpOperand &use : frame.getUses()) {
    Operation *user = use.getOwner();
    if (auto gep = dyn_cast<LLVM::GEPOp>(user)) {
      if (gep.getDynamicIndices().empty() &&
          findEndOfNumbers(gep.getResult()) > 0) {
        geps.push_back(gep);
        first = std::min(first, offsetOf(gep));
      }
    } else if (auto store = dyn_cast<LLVM::StoreOp>(user);
               store && store.getAddr() == frame) {
      uses.push_back(&use);
      first = 0;
    }
  }
  if (geps.empty() && uses.empty())
    return;
  if (!uses.empty())
    for (OpOperand &use : frame.getUses())
      if (auto call = dyn_cast<LLVM::CallOp>(use.getOwner());
          call && call.getCallee() != routine::tegulaScratchPop)
        uses.push_back(&use);
  Location loc = scratch.getLoc();
  auto function = scratch->getParentOfType<func::FuncOp>();
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Value count = arith::ConstantIntOp::create(
      builder, loc, (end - first) / int64_t(sizeof(int64_t)), 64);
  Value numbers = LLVM::AllocaOp::create(builder, loc, frame.getType(),
                                         builder.getI64Type(), count);
  for (OpOperand *use : uses)
    use->set(numbers);
  for (LLVM::GEPOp gep : geps) {
    builder.setInsertionPoint(gep);
    auto offset = static_cast<int32_t>(offsetOf(gep) - first);
    Value moved = LLVM::GEPOp::create(builder, loc, numbers.getType(),
                                      builder.getI8Type(), numbers,
                                      ArrayRef<LLVM::GEPArg>{offset});
    gep.replaceAllUsesWith(moved);
    gep.erase();
  }
}

void tegula::askRanks(ModuleOp module) {
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) { calls.push_back(call); });
  for (LLVM::CallOp call : calls) {
    StringRef routine = call.getCallee().value_or("");
    if (routine == routine::tegulaScratchPush)
      moveNumbers(call);
    else if (saysNothing(routine))
      call.erase();
    else if (auto question = findQuestion(routine))
      ask(call, *question);
    else if (isReshapeOfSizes(call))
      ask(call, TegulaTraceReshapeView);
  }
}
