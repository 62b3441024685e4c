// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/library/Ordinary.h"
#include "tegula/frontend/constants/library/ArrayModules.h"
#include "tegula/frontend/constants/module/ModuleConstants.h"

using namespace tegula;
using llvm::StringRef;

std::string RangeThing::describe() const {
  return "range(" + std::to_string(start) + ", " + std::to_string(stop) +
         (step == 1 ? "" : ", " + std::to_string(step)) + ")";
}

uint64_t RangeThing::size() const {
  // Differences of 64-bit numbers fit when no sign is needed.
  uint64_t first = start, last = stop;
  if (step > 0)
    return start < stop ? (last - first - 1) / step + 1 : 0;
  uint64_t back = -static_cast<uint64_t>(step);
  return start > stop ? (first - last - 1) / back + 1 : 0;
}

int64_t RangeThing::at(uint64_t index) const {
  return static_cast<int64_t>(static_cast<uint64_t>(start) +
                              index * static_cast<uint64_t>(step));
}

const Object *ClassThing::find(StringRef wanted) const {
  auto found = names.find(wanted);
  if (found != names.end())
    return &found->second;
  for (const std::shared_ptr<ClassThing> &base : bases)
    if (const Object *inherited = base->find(wanted))
      return inherited;
  return nullptr;
}

std::optional<Object> ClassThing::lookup(StringRef wanted) {
  if (!find(wanted))
    return std::nullopt;
  // The class outlives the question.
  Object self(
      OrdinaryObject{std::shared_ptr<Ordinary>(std::shared_ptr<void>(), this)});
  return forKernel(evaluator.attribute(self, wanted), wanted);
}

std::optional<Object> InstanceThing::lookup(StringRef wanted) {
  if (!fields.count(wanted) && !type->find(wanted))
    return std::nullopt;
  Object self(
      OrdinaryObject{std::shared_ptr<Ordinary>(std::shared_ptr<void>(), this)});
  return forKernel(type->evaluator.attribute(self, wanted), wanted);
}

Object tegula::plainValue(const Object &object) {
  if (const auto *member = asOrdinary<MemberThing>(object))
    return member->isInteger ? member->value : object;
  const auto *instance = asOrdinary<InstanceThing>(object);
  if (!instance ||
      instance->type->classKind != ClassThing::ClassKind::NamedTuple)
    return object;
  std::vector<Object> elements;
  for (const auto &[name, value] : instance->type->fields)
    elements.push_back(instance->fields.find(name)->second);
  return Object::tuple(std::move(elements));
}

Object tegula::fromKernel(const Object &object) {
  const auto *space = object.as<NamespaceObject>();
  return space && space->thing ? Object(OrdinaryObject{space->thing}) : object;
}

static Object refuse(StringRef name, const llvm::Twine &what) {
  return Object(UnusableObject{
      ("'" + name + "' is not something a kernel can use (" + what + ")").str(),
      {}});
}

static Object refuse(StringRef name, const Object &object) {
  if (const auto *function = asOrdinary<FunctionThing>(object))
    if (function->module)
      return refuse(name,
                    "a function without a kernel decorator at " +
                        function->module->describeLocation(function->loc));
  return refuse(name, describe(object));
}

/// Lists may hold lists, but only so deep: one may hold itself.
static constexpr unsigned maxDepth = 8;

static Object convert(const Object &object, StringRef name, unsigned depth);

/// The elements as kernels see them; stuck if one of them cannot be seen.
static Object convertAll(std::vector<Object> &objects, StringRef name,
                         unsigned depth) {
  for (Object &object : objects) {
    object = convert(object, name, depth + 1);
    if (object.isStuck())
      return object;
  }
  return Object::none();
}

static Object convert(const Object &object, StringRef name, unsigned depth) {
  if (depth > maxDepth)
    return refuse(name, "lists in lists, more than " + llvm::Twine(maxDepth) +
                            " deep");
  Object plain = plainValue(object);
  if (const auto *tuple = plain.as<TupleObject>()) {
    std::vector<Object> elements = *tuple->elements;
    Object stuck = convertAll(elements, name, depth);
    if (stuck.isStuck())
      return stuck;
    return tuple->isList ? Object::list(std::move(elements))
                         : Object::tuple(std::move(elements));
  }
  if (const auto *dict = plain.as<DictObject>()) {
    std::vector<std::pair<Object, Object>> entries = *dict->entries;
    for (auto &[key, value] : entries) {
      key = convert(key, name, depth + 1);
      value = convert(value, name, depth + 1);
      if (key.isStuck() || value.isStuck())
        return key.isStuck() ? key : value;
    }
    return Object::dict(std::move(entries));
  }
  if (const auto *builtin = plain.as<PythonObject>();
      builtin && isArrayFunction(builtin->name))
    return refuse(name, "the function " + builtin->name);
  const auto *ordinary = plain.as<OrdinaryObject>();
  if (!ordinary)
    return plain;
  if (const auto *member = asOrdinary<MemberThing>(plain))
    return convert(member->value, name, depth + 1);
  if (auto *type = asOrdinary<ClassThing>(plain))
    return Object(NamespaceObject{
        std::shared_ptr<Environment>(ordinary->thing, type), type->describe(),
        /*isClass=*/true, ordinary->thing});
  if (auto *instance = asOrdinary<InstanceThing>(plain))
    return Object(NamespaceObject{
        std::shared_ptr<Environment>(ordinary->thing, instance),
        instance->describe(), /*isClass=*/false, ordinary->thing});
  return refuse(name, plain);
}

Object tegula::forKernel(const Object &object, StringRef name) {
  return convert(object, name, 0);
}
