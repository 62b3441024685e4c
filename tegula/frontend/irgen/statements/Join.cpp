// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/statements/Join.h"

using namespace tegula;
using namespace mlir;

/// The type a number has as long as nothing else says.
static Type defaultType(MLIRContext *context, const Object &number) {
  Builder builder(context);
  if (number.is<FloatObject>())
    return builder.getF32Type();
  return number.is<BoolObject>() ? Type(builder.getI1Type())
                                 : Type(builder.getIndexType());
}

Join Join::of(MLIRContext *context, const Object &object) {
  Join join;
  if (object.isNumeric()) {
    join.kind = Kind::Leaf;
    join.type = defaultType(context, object);
    join.isWeak = !object.is<BoolObject>();
    return join;
  }
  if (const auto *tuple = object.asTuple()) {
    join.kind = Kind::Tuple;
    for (const Object &element : *tuple)
      join.elements.push_back(of(context, element));
    return join;
  }
  if (Value value = object.asValue()) {
    join.kind = Kind::Leaf;
    join.type = value.getType();
    join.isWeak = object.as<ValueObject>()->isWeak;
    return join;
  }
  join.same = object;
  return join;
}

/// `None` stands for no task; together with a task it is a task.
static std::optional<Object> joinTasks(const Object &lhs, const Object &rhs) {
  auto isTask = [](const Object &object) {
    const auto *task = object.as<TaskObject>();
    return task && !task->count;
  };
  if (isTask(lhs) && rhs.is<NoneObject>())
    return lhs;
  if (isTask(rhs) && lhs.is<NoneObject>())
    return rhs;
  return std::nullopt;
}

std::optional<Join> Join::of(MLIRContext *context, const Object &lhs,
                             const Object &rhs) {
  Join join;
  if (isSame(lhs, rhs)) {
    join.same = lhs;
    return join;
  }
  if (std::optional<Object> task = joinTasks(lhs, rhs)) {
    join.same = *task;
    return join;
  }
  const auto *left = lhs.asTuple(), *right = rhs.asTuple();
  if (left && right && left->size() == right->size()) {
    join.kind = Kind::Tuple;
    for (auto [first, second] : llvm::zip(*left, *right)) {
      std::optional<Join> element = of(context, first, second);
      if (!element)
        return std::nullopt;
      join.elements.push_back(*element);
    }
    return join;
  }
  // Begin with the side that has a type of its own.
  bool isSwapped = lhs.isNumeric() && !rhs.isNumeric();
  join = of(context, isSwapped ? rhs : lhs);
  if (!join.widen(isSwapped ? lhs : rhs))
    return std::nullopt;
  return join;
}

bool Join::widenScalar(Type other, bool isOtherWeak) {
  if (isa<pl::TileType, pl::TensorViewType>(type))
    return false;
  if (type == other) {
    isWeak &= isOtherWeak;
    return true;
  }
  bool loses = pl::isFloat(isOtherWeak ? other : type) &&
               !pl::isFloat(isOtherWeak ? type : other);
  bool involvesBool = pl::isBool(type) || pl::isBool(other);
  if (involvesBool)
    return false;
  if (isWeak && isOtherWeak) {
    if (pl::isFloat(other))
      type = other;
    return true;
  }
  // INDEX takes other integers in.
  bool hasIndex = type.isIndex() || other.isIndex();
  bool hasFloat = pl::isFloat(type) || pl::isFloat(other);
  if (!isWeak && !isOtherWeak && hasIndex && !hasFloat) {
    type = type.isIndex() ? type : other;
    return true;
  }
  if (loses || (!isWeak && !isOtherWeak))
    return false;
  if (isWeak) {
    type = other;
    isWeak = false;
  }
  return true;
}

bool Join::widenShaped(Type other) {
  bool isShaped = isa<pl::TileType, pl::TensorViewType>(type);
  if (!isShaped || pl::getElementOrSelf(type) != pl::getElementOrSelf(other))
    return false;
  pl::Dims dims(pl::getDims(type));
  ArrayRef<pl::Dim> others = pl::getDims(other);
  if (dims.size() != others.size())
    return false;
  for (auto [axis, dim] : llvm::enumerate(dims))
    dim = dim.join(others[axis]);
  Type element = pl::getElementOrSelf(type);
  if (isa<pl::TensorViewType>(type) && isa<pl::TensorViewType>(other))
    type = pl::TensorViewType::get(type.getContext(), dims, element);
  else
    type = pl::TileType::get(type.getContext(), dims, element);
  return true;
}

bool Join::widenLeaf(const Object &object) {
  if (object.isNumeric())
    return widenScalar(defaultType(type.getContext(), object),
                       !object.is<BoolObject>());
  Value value = object.asValue();
  if (!value)
    return false;
  if (object.asScalar())
    return widenScalar(value.getType(), object.as<ValueObject>()->isWeak);
  return widenShaped(value.getType());
}

bool Join::widen(const Object &object) {
  if (kind == Kind::Leaf)
    return widenLeaf(object);
  if (kind == Kind::Tuple) {
    const auto *tuple = object.asTuple();
    if (!tuple || tuple->size() != elements.size())
      return false;
    for (auto [element, part] : llvm::zip(elements, *tuple))
      if (!element.widen(part))
        return false;
    return true;
  }
  if (std::optional<Object> task = joinTasks(same, object))
    same = *task;
  return isSame(same, object) || joinTasks(same, object);
}

void Join::widen(const Join &other) {
  if (kind != other.kind)
    return;
  if (kind == Kind::Tuple && elements.size() == other.elements.size())
    for (auto [element, part] : llvm::zip(elements, other.elements))
      element.widen(part);
  if (kind == Kind::Same)
    if (std::optional<Object> task = joinTasks(same, other.same))
      same = *task;
  if (kind != Kind::Leaf)
    return;
  if (isa<pl::TileType, pl::TensorViewType>(other.type))
    widenShaped(other.type);
  else
    widenScalar(other.type, other.isWeak);
}

void Join::forgetBounds() {
  for (Join &element : elements)
    element.forgetBounds();
  if (!type || !isa<pl::TileType, pl::TensorViewType>(type))
    return;
  pl::Dims dims(pl::getDims(type));
  for (pl::Dim &dim : dims)
    if (dim.isBounded())
      dim = pl::Dim::any();
  Type element = pl::getElementOrSelf(type);
  type = isa<pl::TileType>(type)
             ? Type(pl::TileType::get(type.getContext(), dims, element))
             : pl::TensorViewType::get(type.getContext(), dims, element);
}

bool Join::flatten(Emitter &emitter, Location loc, const Object &object,
                   SmallVectorImpl<Value> &values) const {
  if (kind == Kind::Same)
    return true;
  if (kind == Kind::Tuple) {
    if (!object.asTuple())
      return false;
    for (auto [element, part] : llvm::zip(elements, *object.asTuple()))
      if (!element.flatten(emitter, loc, part, values))
        return false;
    return true;
  }
  Value value;
  if (isa<pl::TileType>(type))
    value = emitter.memory.toTile(loc, object);
  else if (isa<pl::TensorViewType>(type))
    value = object.asTensor();
  else
    value = emitter.scalars.toScalar(loc, object, type);
  // There is none after a mistake.
  if (value && isa<pl::TileType, pl::TensorViewType>(type))
    value = emitter.shapes.relax(loc, value, type);
  values.push_back(value);
  return value != nullptr;
}

Object Join::placeholder(Emitter &emitter, Location loc) const {
  if (kind == Kind::Same)
    return same;
  if (kind == Kind::Tuple) {
    std::vector<Object> objects;
    for (const Join &element : elements)
      objects.push_back(element.placeholder(emitter, loc));
    return Object::tuple(std::move(objects));
  }
  Type element = pl::getElementOrSelf(type);
  SmallVector<Value> sizes;
  if (isa<pl::TileType, pl::TensorViewType>(type))
    for (pl::Dim dim : pl::getDims(type))
      sizes.push_back(
          emitter.scalars.index(dim.isExact() ? dim.getBound() : 0));
  if (isa<pl::TensorViewType>(type))
    return Object(pl::CreateTensorOp::create(emitter.builder, loc, type, sizes)
                      .getResult());
  Object zero = pl::isBool(element)    ? Object::boolean(false)
                : pl::isFloat(element) ? Object::real(0.0)
                                       : Object::integer(0);
  Value scalar = emitter.scalars.constant(loc, zero, element);
  if (!isa<pl::TileType>(type))
    return Object(ValueObject{scalar, isWeak});
  return Object(pl::FullOp::create(emitter.builder, loc, type, scalar, sizes)
                    .getResult());
}

void Join::addTypes(SmallVectorImpl<Type> &types) const {
  if (kind == Kind::Leaf)
    types.push_back(type);
  for (const Join &element : elements)
    element.addTypes(types);
}

Object Join::rebuild(ArrayRef<Value> &values) const {
  if (kind == Kind::Same)
    return same;
  if (kind == Kind::Leaf) {
    Value value = values.front();
    values = values.drop_front();
    return Object(ValueObject{value, isWeak});
  }
  std::vector<Object> objects;
  for (const Join &element : elements)
    objects.push_back(element.rebuild(values));
  return Object::tuple(std::move(objects));
}

bool Join::operator==(const Join &other) const {
  return kind == other.kind && type == other.type && isWeak == other.isWeak &&
         elements == other.elements && isSame(same, other.same);
}
