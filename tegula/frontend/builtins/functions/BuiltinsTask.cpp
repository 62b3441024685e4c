// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins about tasks, which have no effect on results, about the small arrays
// that cores keep, and assertions.
#include "tegula/frontend/builtins/BuiltinCall.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/ir/ops/attributes/IndexLocations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Value;

/// task_dummy(deps): a task that does nothing but wait for others
Object tegula::buildTask(const TaskCall &call) {
  BuiltinArgument deps = call.deps();
  if (!deps.isGiven())
    return Object(TaskObject{});
  const std::vector<Object> *tasks = deps->asTuple();
  if (!tasks)
    return call.fail("'deps' takes a list, got " + describe(deps));
  for (const Object &task : *tasks)
    if (!task.is<TaskObject>() && !task.is<NoneObject>())
      return deps.fail("'deps' takes tasks, arrays of tasks and None, got " +
                       describe(task));
  return Object(TaskObject{});
}

Object tegula::buildNoTask(const NoTaskCall &) { return Object(TaskObject{}); }

/// task_id_of(x): the task that wrote x
Object tegula::buildTaskOf(const TaskOfCall &call) {
  return call.x().shaped() ? Object(TaskObject{}) : Object::poison();
}

Object tegula::buildIsShaped(const IsShapedCall &call) {
  return Object::boolean(call.x()->asTensor() || call.x()->asTile());
}

/// assert_(condition, message), of which the condition is a scalar by now
Object tegula::buildAssert(const AssertCall &call) {
  Emitter &emitter = call.emitter;
  const auto *message =
      call.message().isGiven() ? call.message()->as<StringObject>() : nullptr;
  if (call.message().isGiven() && !message)
    return call.message().fail("the message of pl.assert_ is a string, got " +
                               describe(call.message()));
  std::string text = message ? message->value : "";
  if (!call.condition()->isNumeric() && !call.condition()->asScalar())
    return call.condition().fail("pl.assert_ takes a condition first, got " +
                                 describe(call.condition()) +
                                 "; write pl.assert_(condition, \"text\")");
  if (call.condition()->isNumeric() && *call.condition()->asReal() == 0)
    return call.fail("assertion failed" + (message ? ": " + text : ""));
  Value truth =
      emitter.scalars.toCondition(call.condition().loc(), call.condition());
  if (!truth)
    return Object::poison();
  pl::AssertOp::create(emitter.builder, call.loc, truth, emitter.function, text,
                       emitter.builder.getStrArrayAttr({}), mlir::ValueRange(),
                       /*labelled=*/false);
  return Object::none();
}

/// no_dep(x), dump_tag(x): x
Object tegula::buildMarked(const MarkedCall &call) {
  return call.x().shaped() ? call.x().object() : Object::poison();
}

/// True if an argument is left out, or a mode of pl.SplitMode; otherwise says
/// that it is none.
static bool checkMode(StringRef function, const BuiltinArgument &given) {
  const std::string *mode = given.isGiven() ? given->asLanguage() : nullptr;
  bool isMode =
      mode && (*mode == "SplitMode.UP_DOWN" ||
               *mode == "SplitMode.LEFT_RIGHT" || *mode == "SplitMode.NONE");
  if (given.isGiven() && !isMode)
    given.fail(function +
               "() takes one of pl.SplitMode.UP_DOWN, LEFT_RIGHT and NONE, "
               "got " +
               describe(given));
  return !given.isGiven() || isMode;
}

/// The same for a number of slots.
static bool checkSlots(StringRef function, const BuiltinArgument &given) {
  if (!given.isGiven())
    return true;
  std::optional<int64_t> slots = given->asInteger();
  bool isRight = given->is<IntObject>() && slots && *slots >= 1;
  if (!isRight)
    given.fail("'slot_num' of " + function +
               "() must be a positive integer known at compile time, got " +
               describe(given));
  return isRight;
}

/// split(mode, slot_num): how a region is shared between cores
Object tegula::buildSplit(const SplitCall &call) {
  bool isRight = checkMode("split", call.mode());
  isRight &= checkSlots("split", call.slotNum());
  return isRight ? Object(LanguageObject{"option.split"}) : Object::poison();
}

Object tegula::buildChunkedLoop(const ChunkedLoopCall &call) {
  return checkMode("chunked_loop_optimizer", call.split())
             ? Object(LanguageObject{"option.chunked_loop_optimizer"})
             : Object::poison();
}

Object tegula::buildSlot(const SlotCall &call) {
  return checkSlots("cross_core_slot", call.slotNum())
             ? Object(LanguageObject{"option.cross_core_slot"})
             : Object::poison();
}

/// How many of them the machine has that the kernel is compiled for.
Object tegula::buildCount(const CountCall &call, MachinePart part) {
  return Object::integer(call.emitter.parts.count(part));
}

/// array.create(n, dtype): n elements, all 0
Object tegula::buildArray(const ArrayCall &call) {
  Emitter &emitter = call.emitter;
  std::optional<int64_t> count = call.extent()->asInteger();
  if (!count || !call.extent()->is<IntObject>() || *count < 1)
    return call.extent().fail("the length of an array must be a positive "
                              "integer known at compile time, got " +
                              describe(call.extent()));
  const std::string *path = call.dtype()->asLanguage();
  if (path && *path == "TASK_ID")
    return Object(TaskObject{*count});
  mlir::Type element = call.dtype().dtype();
  if (!element)
    return Object::poison();
  if (pl::isFloat(element))
    return call.dtype().fail(
        "an array holds integers, booleans or tasks, got " +
        describe(call.dtype()));
  // INDEX is no element type; as a scalar an INT64 becomes it by itself.
  if (element.isIndex())
    element = emitter.builder.getI64Type();
  Object zero =
      pl::isBool(element) ? Object::boolean(false) : Object::integer(0);
  Value scalar = emitter.scalars.constant(call.loc, zero, element);
  return Object(pl::FullOp::create(emitter.builder, call.loc, scalar,
                                   {emitter.scalars.index(*count)})
                    .getResult());
}

/// The array of a call, and the index into it; null after a mistake.
template <typename Call> static Value arrayOf(const Call &call, Value &index) {
  Value array = call.array()->asTile();
  if (!array || pl::getDims(array.getType()).size() != 1) {
    call.array().fail(call.name + "() takes an array, got " +
                      describe(call.array()));
    return {};
  }
  pl::Dim dim = pl::getDims(array.getType()).front();
  std::optional<int64_t> constant = call.index()->asInteger();
  if (constant && dim.hasBound() &&
      (*constant < 0 || *constant >= dim.getBound())) {
    call.index().fail("index " + llvm::Twine(*constant) +
                      " is out of range for an array of " +
                      llvm::Twine(dim.getBound()));
    return {};
  }
  index = call.index().number("an index");
  return index ? array : Value();
}

Object tegula::buildGetElement(const GetElementCall &call) {
  if (call.array()->is<TaskObject>())
    return Object(TaskObject{});
  Value index, array = arrayOf(call, index);
  return array ? call.emitter.memory.read(
                     pl::withIndexLocations(call.loc, call.index().loc()),
                     array, index)
               : Object::poison();
}

/// update_element(a, i, v): the array with another element
Object tegula::buildUpdateElement(const UpdateElementCall &call) {
  if (call.array()->is<TaskObject>())
    return call.array();
  Value index, array = arrayOf(call, index);
  if (!array)
    return Object::poison();
  return call.emitter.memory.insert(
      pl::withIndexLocations(call.loc, call.index().loc()), call.value(), array,
      index, call.emitter.scalars.index(1), int64_t(0));
}
