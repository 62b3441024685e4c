// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins about tasks, which have no effect on results, and about the small
// arrays that cores keep.
#include "tegula/frontend/builtins/Builtins.h"
#include "tegula/frontend/constants/Dtypes.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Value;

/// The machine a kernel is written for when it asks how large it is. It is the
/// same everywhere, so that results are.
static constexpr int64_t numClusters = 32;
static constexpr int64_t numVectorCores = 2 * numClusters;

/// task_dummy(deps): a task that does nothing but wait for others
static Object buildTask(BuiltinCall &call) {
  if (!call.has(0) || call[0].is<NoneObject>())
    return Object(TaskObject{});
  const std::vector<Object> *tasks = call[0].asTuple();
  if (!tasks)
    return call.fail("'deps' takes a list, got " + describe(call[0]));
  for (const Object &task : *tasks)
    if (!task.is<TaskObject>() && !task.is<NoneObject>())
      return call.emitter.fail(
          call.locOf(0), "'deps' takes tasks, arrays of tasks and None, got " +
                             describe(task));
  return Object(TaskObject{});
}

static Object buildNoTask(BuiltinCall &) { return Object(TaskObject{}); }

/// no_dep(x), dump_tag(x): x
static Object buildMarked(BuiltinCall &call) {
  Value value = call.shaped(0);
  return value ? call[0] : Object::poison();
}

/// split(mode): how a region is shared between cores
static Object buildSplit(BuiltinCall &call) {
  const std::string *mode = call.has(0) ? call[0].asLanguage() : nullptr;
  bool isMode =
      mode && (*mode == "SplitMode.UP_DOWN" ||
               *mode == "SplitMode.LEFT_RIGHT" || *mode == "SplitMode.NONE");
  if (call.has(0) && !isMode)
    return call.fail("split() takes one of pl.SplitMode.UP_DOWN, LEFT_RIGHT "
                     "and NONE, got " +
                     describe(call[0]));
  return Object(LanguageObject{"option.split"});
}

static Object buildSlot(BuiltinCall &call) {
  std::optional<int64_t> slots = call[0].asInteger();
  if (!slots || *slots < 1)
    return call.fail("cross_core_slot() takes a positive integer, got " +
                     describe(call[0]));
  return Object(LanguageObject{"option.cross_core_slot"});
}

static Object buildClusters(BuiltinCall &) {
  return Object::integer(numClusters);
}

static Object buildVectorCores(BuiltinCall &) {
  return Object::integer(numVectorCores);
}

/// array.create(n, dtype): n elements, all 0
static Object buildArray(BuiltinCall &call) {
  Emitter &emitter = call.emitter;
  std::optional<int64_t> count = call[0].asInteger();
  if (!count || !call[0].is<IntObject>() || *count < 1)
    return emitter.fail(call.locOf(0),
                        "the length of an array must be a positive integer "
                        "known at compile time, got " +
                            describe(call[0]));
  const std::string *path = call[1].asLanguage();
  if (path && *path == "TASK_ID")
    return Object(TaskObject{*count});
  mlir::Type element = call.dtype(1);
  if (!element)
    return Object::poison();
  if (pl::isFloat(element))
    return emitter.fail(call.locOf(1),
                        "an array holds integers, booleans or tasks, got " +
                            describe(call[1]));
  // INDEX is no element type; as a scalar an INT64 becomes it by itself.
  if (element.isIndex())
    element = emitter.builder.getI64Type();
  Object zero =
      pl::isBool(element) ? Object::boolean(false) : Object::integer(0);
  Value scalar = emitter.constant(call.loc, zero, element);
  return Object(pl::FullOp::create(emitter.builder, call.loc, scalar,
                                   {emitter.index(*count)})
                    .getResult());
}

/// The array of a call, and the index into it; null after a mistake.
static Value readElement(BuiltinCall &call, Value &index) {
  Value array = call[0].asTile();
  if (!array || pl::getDims(array.getType()).size() != 1) {
    call.emitter.fail(call.locOf(0), call.name + "() takes an array, got " +
                                         describe(call[0]));
    return {};
  }
  pl::Dim dim = pl::getDims(array.getType()).front();
  std::optional<int64_t> constant = call[1].asInteger();
  if (constant && dim.hasBound() &&
      (*constant < 0 || *constant >= dim.getBound())) {
    call.emitter.fail(call.locOf(1), "index " + llvm::Twine(*constant) +
                                         " is out of range for an array of " +
                                         llvm::Twine(dim.getBound()));
    return {};
  }
  index = call.emitter.toIndex(call.locOf(1), call[1], "an index");
  return index ? array : Value();
}

static Object buildGetElement(BuiltinCall &call) {
  if (call[0].is<TaskObject>())
    return Object(TaskObject{});
  Value index, array = readElement(call, index);
  return array ? call.emitter.read(call.loc, array, index) : Object::poison();
}

/// update_element(a, i, v): the array with another element
static Object buildUpdateElement(BuiltinCall &call) {
  if (call[0].is<TaskObject>())
    return call[0];
  Value index, array = readElement(call, index);
  if (!array)
    return Object::poison();
  return call.emitter.insert(call.loc, call[2], array, index,
                             call.emitter.index(1), int64_t(0));
}

llvm::ArrayRef<Builtin> tegula::taskBuiltins() {
  static constexpr Builtin table[] = {
      {"system.task_dummy", "deps?", buildTask, true,
       "a task that does nothing but come after others"},
      {"system.task_invalid", "", buildNoTask, false, "no task, as `None`"},
      {"system.available_cluster_count", "", buildClusters, false,
       "32, whatever the machine"},
      {"system.available_aiv_count", "", buildVectorCores, false,
       "64, whatever the machine"},
      {"no_dep", "x", buildMarked, false, "`x`"},
      {"dump_tag", "x", buildMarked, true, "`x`"},
      {"split", "mode?", buildSplit, false,
       "an entry of `optimizations=`, without effect"},
      {"cross_core_slot", "slot_num", buildSlot, false,
       "an entry of `optimizations=`, without effect"},
      {"array.create", "extent|n dtype", buildArray, false,
       "an array of integers or booleans, all 0; of tasks with `pl.TASK_ID`"},
      {"array.get_element", "array|a index|i", buildGetElement, false,
       "one element, as `array[index]`"},
      {"array.update_element", "array|a index|i value|v", buildUpdateElement,
       false, "the array with another element"},
  };
  return table;
}
