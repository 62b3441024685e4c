// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of Python that ask and change objects.
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/library/OrdinaryCall.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;

/// The name of the type of an object, as `isinstance` knows it.
static StringRef typeName(const Object &object) {
  if (object.is<BoolObject>())
    return "bool";
  if (object.is<IntObject>())
    return "int";
  if (object.is<FloatObject>())
    return "float";
  if (object.is<StringObject>())
    return "str";
  if (const auto *tuple = object.as<TupleObject>())
    return tuple->isList ? "list" : "tuple";
  if (object.is<DictObject>())
    return "dict";
  if (const auto *set = asOrdinary<SetThing>(object))
    return set->isFrozen ? "frozenset" : "set";
  if (asOrdinary<RangeThing>(object))
    return "range";
  return "";
}

static bool isDerived(const ClassThing &type, const ClassThing &base) {
  return &type == &base || llvm::any_of(type.bases, [&](const auto &inner) {
    return isDerived(*inner, base);
  });
}

static Object isInstance(OrdinaryCall &call, const Object &object,
                         const Object &type) {
  if (const auto *types = type.asTuple()) {
    for (const Object &each : *types) {
      Object result = isInstance(call, object, each);
      if (result.isStuck() || isTrue(result))
        return result;
    }
    return Object::boolean(false);
  }
  if (const auto *wanted = asOrdinary<ClassThing>(type)) {
    if (const auto *member = asOrdinary<MemberThing>(object))
      return Object::boolean(member->type == wanted->name);
    const auto *instance = asOrdinary<InstanceThing>(object);
    return Object::boolean(instance && isDerived(*instance->type, *wanted));
  }
  const auto *builtin = type.as<PythonObject>();
  if (!builtin)
    return call.wrong();
  StringRef name = typeName(plainValue(object));
  bool isKnown = llvm::StringSwitch<bool>(builtin->name)
                     .Cases({"int", "float", "bool", "str", "list"}, true)
                     .Cases({"tuple", "dict", "set", "frozenset"}, true)
                     .Cases({"range", "object"}, true)
                     .Default(false);
  if (!isKnown)
    return call.wrong();
  return Object::boolean(builtin->name == "object" || name == builtin->name ||
                         (name == "bool" && builtin->name == "int"));
}

static Object callIsInstance(OrdinaryCall &call) {
  return call.size() == 2 ? isInstance(call, call[0], call[1]) : call.wrong();
}

static Object callGetattr(OrdinaryCall &call) {
  const auto *name = call.size() >= 2 ? call[1].as<StringObject>() : nullptr;
  if (!name)
    return call.wrong();
  Object object = call[0];
  bool isKnown = false;
  if (const auto *instance = asOrdinary<InstanceThing>(object))
    isKnown = instance->fields.count(name->value) ||
              instance->type->find(name->value);
  else if (const auto *type = asOrdinary<ClassThing>(object))
    isKnown = type->find(name->value);
  else
    return call.wrong();
  if (call.name == "hasattr")
    return Object::boolean(isKnown);
  if (call.name == "setattr")
    return call.size() == 3 &&
                   call.evaluator.assignAttribute(object, name->value, call[2])
               ? Object::none()
               : call.wrong();
  if (!isKnown && call.size() == 3)
    return call[2];
  return call.evaluator.attribute(object, name->value);
}

static Object callPrint(OrdinaryCall &) { return Object::none(); }

/// `@property` and its like.
static Object callDescriptor(OrdinaryCall &call) {
  return call.size() == 1
             ? makeOrdinary<DescriptorThing>(
                   call.name.str(), call.evaluator.lifetimes.retain(call[0]))
             : call.wrong();
}

static Object callType(OrdinaryCall &call) {
  const auto *instance =
      call.size() == 1 ? asOrdinary<InstanceThing>(call[0]) : nullptr;
  if (instance)
    return Object(OrdinaryObject{instance->type});
  StringRef name = call.size() == 1 ? typeName(call[0]) : "";
  return name.empty() ? call.wrong() : Object(PythonObject{name.str()});
}

/// `object.__setattr__(self, name, value)`, which a frozen dataclass allows.
static Object callSetAttribute(OrdinaryCall &call) {
  auto *instance =
      call.size() == 3 ? asOrdinary<InstanceThing>(call[0]) : nullptr;
  const auto *name = instance ? call[1].as<StringObject>() : nullptr;
  if (!name)
    return call.wrong();
  instance->fields[name->value] = call.evaluator.lifetimes.retain(call[2]);
  return Object::none();
}

OrdinaryFunction tegula::findObjectsFunction(StringRef name) {
  return llvm::StringSwitch<OrdinaryFunction>(name)
      .Case("isinstance", callIsInstance)
      .Cases({"getattr", "hasattr", "setattr"}, callGetattr)
      .Case("print", callPrint)
      .Cases({"property", "staticmethod", "classmethod"}, callDescriptor)
      .Case("type", callType)
      .Case("object.__setattr__", callSetAttribute)
      .Default(nullptr);
}
