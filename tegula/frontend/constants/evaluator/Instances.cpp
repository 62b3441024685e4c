// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/evaluator/Instances.h"
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/evaluator/Evaluator.h"
#include "tegula/frontend/constants/evaluator/Operators.h"
#include "tegula/frontend/constants/library/OrdinaryBuiltins.h"

using namespace tegula;
using llvm::StringRef;
using ClassKind = ClassThing::ClassKind;

static Object stuck(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

/// Gives the fields of a dataclass or named tuple their values.
Object Instances::fillFields(InstanceThing &instance,
                             OrdinaryArguments &arguments) {
  const ClassThing &type = *instance.type;
  size_t next = 0;
  for (const auto &[name, given] : type.fields) {
    const auto *field = given ? asOrdinary<FieldThing>(*given) : nullptr;
    bool isInit = !field || field->isInit;
    std::optional<Object> value;
    if (isInit && next < arguments.positional.size() &&
        !(field && field->isKeywordOnly))
      value = arguments.positional[next++];
    if (std::optional<Object> keyword =
            isInit ? arguments.take(name) : std::nullopt) {
      if (value)
        return stuck(type.describe() + " is given '" + name + "' twice");
      value = keyword;
    }
    if (!value && field && field->factory)
      value = evaluator.call(*field->factory, {});
    else if (!value && field)
      value = field->value;
    else if (!value)
      value = given;
    if (!value && isInit)
      return stuck(type.describe() + " is called without '" + name + "'");
    if (value && value->isStuck())
      return *value;
    if (value)
      instance.fields[name] = evaluator.lifetimes.retain(*value);
  }
  if (next < arguments.positional.size())
    return stuck(type.describe() + " is called with too many arguments");
  if (!arguments.keywords.empty())
    return stuck(type.describe() + " has no '" +
                 arguments.keywords.front().first + "'");
  return Object::none();
}

Object Instances::instantiate(const std::shared_ptr<ClassThing> &type,
                              OrdinaryArguments arguments) {
  if (!type->problem.empty())
    return stuck(type->problem);
  if (type->classKind == ClassKind::Enum ||
      type->classKind == ClassKind::IntEnum) {
    if (arguments.positional.size() != 1)
      return stuck(type->describe() + " takes a value");
    return asOrdinary<MemberThing>(arguments.positional[0])
               ? arguments.positional[0]
               : memberOf(*type, arguments.positional[0]);
  }
  auto instance = std::make_shared<InstanceThing>(type);
  Object self(OrdinaryObject{instance});
  evaluator.lifetimes.retain(self);
  bool hasFields = type->classKind == ClassKind::Dataclass ||
                   type->classKind == ClassKind::NamedTuple;
  Object done = Object::none();
  if (type->find("__init__")) {
    done = evaluator.call(attribute(self, "__init__"), std::move(arguments));
  } else if (hasFields) {
    done = fillFields(*instance, arguments);
    instance->isClosed = type->isFrozen;
    if (!done.isStuck() && type->find("__post_init__"))
      done = evaluator.call(attribute(self, "__post_init__"), {});
  } else if (!arguments.positional.empty() || !arguments.keywords.empty()) {
    done = stuck(type->describe() + " takes no arguments");
  }
  if (done.isStuck())
    return done;
  return self;
}

/// What a name of a class is when it is asked for by way of `self`.
static Object bindTo(Evaluator &evaluator, const Object &self,
                     const Object &type, const Object &object) {
  if (asOrdinary<FunctionThing>(object))
    return self.isPoison() ? object : makeOrdinary<BoundThing>(self, object);
  const auto *descriptor = asOrdinary<DescriptorThing>(object);
  if (!descriptor)
    return object;
  if (descriptor->decorator == "staticmethod")
    return descriptor->function;
  if (descriptor->decorator == "classmethod")
    return makeOrdinary<BoundThing>(type, descriptor->function);
  if (self.isPoison())
    return object;
  return evaluator.call(descriptor->function, {{self}, {}});
}

static Object attributeOfMember(const MemberThing &member, StringRef name) {
  if (name == "name" || name == "_name_")
    return Object::string(member.name);
  if (name == "value" || name == "_value_")
    return member.value;
  return stuck(member.describe() + " has no attribute '" + name + "'");
}

Object Instances::attribute(const Object &object, StringRef name) {
  if (const auto *member = asOrdinary<MemberThing>(object))
    return attributeOfMember(*member, name);
  if (const auto *instance = asOrdinary<InstanceThing>(object)) {
    Object type(OrdinaryObject{instance->type});
    auto field = instance->fields.find(name);
    const Object *inherited = instance->type->find(name);
    bool isProperty = inherited && asOrdinary<DescriptorThing>(*inherited);
    if (field != instance->fields.end() && !isProperty)
      return field->second;
    if (inherited)
      return bindTo(evaluator, object, type, *inherited);
    if (name == "__class__")
      return type;
    if (hasOrdinaryMethod(object, name))
      return makeOrdinary<BoundThing>(object, Object(PythonObject{name.str()}));
    return stuck(describe(object) + " has no '" + name + "'");
  }
  if (const auto *type = asOrdinary<ClassThing>(object)) {
    if (const Object *own = type->find(name))
      return bindTo(evaluator, Object::poison(), object, *own);
    if (name == "__name__")
      return Object::string(type->name);
    if (name == "__members__") {
      Object members = Object::dict({});
      for (const auto &[field, member] : type->fields)
        if (member &&
            !evaluator.assignItem(members, Object::string(field), *member))
          return evaluator.getFailure();
      return members;
    }
    if (name == "_fields" && type->classKind == ClassKind::NamedTuple) {
      std::vector<Object> names;
      for (const auto &[field, value] : type->fields)
        names.push_back(Object::string(field));
      return Object::tuple(std::move(names));
    }
    return stuck(type->describe() + " has no '" + name + "'");
  }
  if (const auto *function = asOrdinary<FunctionThing>(object))
    if (name == "__name__")
      return Object::string(function->name);
  if (const auto *builtin = object.as<PythonObject>()) {
    std::string dotted = builtin->name + "." + name.str();
    if (isOrdinaryBuiltin(dotted))
      return Object(PythonObject{dotted});
  }
  if (hasOrdinaryMethod(object, name))
    return makeOrdinary<BoundThing>(object, Object(PythonObject{name.str()}));
  if (auto known = constantAttribute(&evaluator.getContext(), object, name))
    return fromKernel(*known);
  return stuck(describe(object) + " has no attribute '" + name + "'");
}

Object Instances::memberOf(const ClassThing &type, const Object &value) {
  for (const auto &[name, member] : type.fields) {
    const auto *known = asOrdinary<MemberThing>(*member);
    Object same =
        applyCompare(evaluator, ast::CompareOp::Eq, known->value, value);
    if (same.is<BoolObject>() && same.as<BoolObject>()->value)
      return *member;
  }
  return stuck(type.describe() + " has no member of that value");
}
