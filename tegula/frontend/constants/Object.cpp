// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/Object.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/constants/library/Ordinary.h"
#include "tegula/frontend/constants/module/KernelFunction.h"
#include "tegula/ir/ops/PlDialect.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tegula;
using llvm::isa;

template <typename Kind, typename>
Object::Object(Kind kind) : node(std::move(kind)) {}
template Object::Object(PoisonObject);
template Object::Object(NoneObject);
template Object::Object(EllipsisObject);
template Object::Object(IntObject);
template Object::Object(FloatObject);
template Object::Object(BoolObject);
template Object::Object(StringObject);
template Object::Object(ValueObject);
template Object::Object(TupleObject);
template Object::Object(DictObject);
template Object::Object(NamespaceObject);
template Object::Object(DtypeObject);
template Object::Object(SymbolObject);
template Object::Object(FunctionObject);
template Object::Object(LanguageObject);
template Object::Object(PythonObject);
template Object::Object(OrdinaryObject);
template Object::Object(TaskObject);
template Object::Object(UnusableObject);

Object::Object() : node(PoisonObject{}) {}
Object::Object(mlir::Value value) : node(ValueObject{value}) {}
Object::Object(const Object &) = default;
Object::Object(Object &&) noexcept = default;
Object &Object::operator=(const Object &) = default;
Object &Object::operator=(Object &&) noexcept = default;
Object::~Object() = default;

Object Object::tuple(std::vector<Object> elements) {
  return Object(
      TupleObject{std::make_shared<std::vector<Object>>(std::move(elements))});
}

Object Object::list(std::vector<Object> elements) {
  return Object(
      TupleObject{std::make_shared<std::vector<Object>>(std::move(elements)),
                  /*isList=*/true});
}

Object Object::dict(std::vector<std::pair<Object, Object>> entries) {
  return Object(
      DictObject{std::make_shared<std::vector<std::pair<Object, Object>>>(
          std::move(entries))});
}

bool Object::isNumeric() const {
  return is<IntObject>() || is<FloatObject>() || is<BoolObject>();
}

std::optional<int64_t> Object::asInteger() const {
  if (const auto *integer = as<IntObject>())
    return integer->value;
  if (const auto *boolean = as<BoolObject>())
    return boolean->value;
  return std::nullopt;
}

std::optional<double> Object::asReal() const {
  if (const auto *real = as<FloatObject>())
    return real->value;
  if (std::optional<int64_t> integer = asInteger())
    return static_cast<double>(*integer);
  return std::nullopt;
}

mlir::Value Object::asValue() const {
  const auto *value = as<ValueObject>();
  return value ? value->value : mlir::Value();
}

mlir::Value Object::asTensor() const {
  mlir::Value value = asValue();
  return value && isa<pl::TensorViewType>(value.getType()) ? value
                                                           : mlir::Value();
}

mlir::Value Object::asTile() const {
  mlir::Value value = asValue();
  return value && isa<pl::TileType>(value.getType()) ? value : mlir::Value();
}

mlir::Value Object::asScalar() const {
  mlir::Value value = asValue();
  return value && !isa<pl::TileType, pl::TensorViewType>(value.getType())
             ? value
             : mlir::Value();
}

const std::vector<Object> *Object::asTuple() const {
  const auto *tuple = as<TupleObject>();
  return tuple ? tuple->elements.get() : nullptr;
}

const std::string *Object::asLanguage() const {
  const auto *name = as<LanguageObject>();
  return name ? &name->path : nullptr;
}

static bool isSameConstant(const Object &lhs, const Object &rhs) {
  // By their bits: NaN is the same as itself, and -0.0 is another than 0.0.
  if (const auto *real = lhs.as<FloatObject>())
    return rhs.is<FloatObject>() &&
           llvm::bit_cast<uint64_t>(real->value) ==
               llvm::bit_cast<uint64_t>(rhs.as<FloatObject>()->value);
  if (lhs.is<BoolObject>() != rhs.is<BoolObject>())
    return false;
  if (std::optional<int64_t> integer = lhs.asInteger())
    return integer == rhs.asInteger();
  if (const auto *string = lhs.as<StringObject>())
    return rhs.is<StringObject>() &&
           string->value == rhs.as<StringObject>()->value;
  return (lhs.is<NoneObject>() && rhs.is<NoneObject>()) ||
         (lhs.isPoison() && rhs.isPoison());
}

bool tegula::isSame(const Object &lhs, const Object &rhs) {
  if (mlir::Value value = lhs.asValue())
    return value == rhs.asValue();
  if (const auto *tuple = lhs.asTuple()) {
    const auto *other = rhs.asTuple();
    if (!other || tuple->size() != other->size())
      return false;
    for (auto [left, right] : llvm::zip(*tuple, *other))
      if (!isSame(left, right))
        return false;
    return true;
  }
  if (const auto *dict = lhs.as<DictObject>())
    return rhs.is<DictObject>() &&
           dict->entries == rhs.as<DictObject>()->entries;
  if (const auto *space = lhs.as<NamespaceObject>())
    return rhs.is<NamespaceObject>() &&
           space->names == rhs.as<NamespaceObject>()->names;
  if (const auto *dtype = lhs.as<DtypeObject>())
    return rhs.is<DtypeObject>() && dtype->type == rhs.as<DtypeObject>()->type;
  if (const auto *symbol = lhs.as<SymbolObject>())
    return rhs.is<SymbolObject>() &&
           symbol->symbol == rhs.as<SymbolObject>()->symbol;
  if (const auto *function = lhs.as<FunctionObject>())
    return rhs.is<FunctionObject>() &&
           function->function == rhs.as<FunctionObject>()->function;
  if (const auto *path = lhs.asLanguage())
    return rhs.asLanguage() && *path == *rhs.asLanguage();
  if (const auto *name = lhs.as<PythonObject>())
    return rhs.is<PythonObject>() && name->name == rhs.as<PythonObject>()->name;
  if (const auto *ordinary = lhs.as<OrdinaryObject>())
    return rhs.is<OrdinaryObject>() &&
           ordinary->thing == rhs.as<OrdinaryObject>()->thing;
  if (const auto *task = lhs.as<TaskObject>())
    return rhs.is<TaskObject>() && task->count == rhs.as<TaskObject>()->count;
  if (const auto *unusable = lhs.as<UnusableObject>()) {
    const auto *other = rhs.as<UnusableObject>();
    return other && unusable->message == other->message &&
           unusable->gathered == other->gathered;
  }
  return isSameConstant(lhs, rhs);
}

bool tegula::containsValue(const Object &object) {
  const auto *tuple = object.asTuple();
  return object.asValue() || (tuple && llvm::any_of(*tuple, containsValue));
}

std::string tegula::describe(mlir::Type type) {
  if (!isa<pl::TileType, pl::TensorViewType>(type)) {
    std::string name = dtypeName(type);
    // As read aloud: an FP32, an INDEX, a UINT8.
    bool vowel = name.front() == 'F' || name.front() == 'I';
    return (vowel ? "an " : "a ") + name + " scalar";
  }
  std::string dims =
      llvm::join(llvm::map_range(pl::getDims(type),
                                 [](pl::Dim dim) {
                                   if (dim.isAny())
                                     return std::string("?");
                                   return (dim.isBounded() ? "upto " : "") +
                                          std::to_string(dim.getBound());
                                 }),
                 ", ");
  return llvm::formatv("a {0} [{1}] of {2}",
                       isa<pl::TileType>(type) ? "tile" : "tensor", dims,
                       dtypeName(pl::getElementOrSelf(type)));
}

static std::string describeNumber(const Object &object) {
  if (const auto *boolean = object.as<BoolObject>())
    return boolean->value ? "True" : "False";
  if (const auto *integer = object.as<IntObject>())
    return "the integer " + std::to_string(integer->value);
  llvm::SmallString<32> text;
  llvm::APFloat(object.as<FloatObject>()->value)
      .toString(text, /*FormatPrecision=*/6);
  bool looksWhole = llvm::StringRef(text).find_first_not_of("-0123456789") ==
                    llvm::StringRef::npos;
  return ("the float " + text + (looksWhole ? ".0" : "")).str();
}

std::string tegula::describe(const Object &object) {
  if (mlir::Value value = object.asValue())
    return describe(value.getType());
  if (object.isNumeric())
    return describeNumber(object);
  if (const auto *tuple = object.as<TupleObject>())
    return (tuple->isList ? "a list of " : "a tuple of ") +
           std::to_string(tuple->elements->size());
  if (const auto *dict = object.as<DictObject>())
    return "a dict of " + std::to_string(dict->entries->size());
  if (const auto *space = object.as<NamespaceObject>())
    return space->what;
  if (const auto *string = object.as<StringObject>())
    return "the string '" + string->value + "'";
  if (const auto *dtype = object.as<DtypeObject>())
    return "the dtype " + dtypeName(dtype->type);
  if (const auto *symbol = object.as<SymbolObject>())
    return "the symbol " + symbol->symbol->name;
  if (const auto *function = object.as<FunctionObject>())
    return "the function '" + function->function->getName().str() + "'";
  if (const auto *path = object.asLanguage())
    return path->empty() ? "the module 'pl'" : "'pl." + *path + "'";
  if (const auto *ordinary = object.as<OrdinaryObject>())
    return ordinary->thing->describe();
  if (const auto *name = object.as<PythonObject>())
    return "the builtin '" + name->name + "'";
  if (const auto *task = object.as<TaskObject>())
    return task->count
               ? "an array of " + std::to_string(*task->count) + " tasks"
               : "a task";
  if (const auto *unusable = object.as<UnusableObject>();
      unusable && unusable->gathered)
    return "what lanes gather, which is whole after their loop";
  if (object.is<EllipsisObject>())
    return "'...'";
  return "None";
}
