// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an argument is, or an error that says what it should be.
#include "tegula/frontend/builtins/BuiltinCall.h"
#include "mlir/IR/Matchers.h"
#include "tegula/frontend/constants/NamesElsewhere.h"
#include "llvm/ADT/Sequence.h"

using namespace tegula;
using mlir::SmallVector;
using mlir::Value;

Value BuiltinArgument::shaped() const {
  if (Value tensor = object().asTensor())
    return tensor;
  if (Value tile = object().asTile())
    return tile;
  fail("'" + call.name + "' takes a tensor or a tile, got " +
       describe(object()));
  return {};
}

Value BuiltinArgument::tile() const {
  Value value = shaped();
  return value ? call.emitter.memory.toTile(call.loc, Object(value)) : Value();
}

mlir::Type BuiltinArgument::dtype() const {
  if (const auto *dtype = object().as<DtypeObject>())
    return dtype->type;
  fail(notADtype(object()));
  return {};
}

/// The entries of a list; a single object is a list of one.
static std::vector<Object> listOf(const Object &object) {
  return object.asTuple() ? *object.asTuple() : std::vector<Object>{object};
}

std::optional<SmallVector<Value>> BuiltinArgument::sizes() const {
  SmallVector<Value> values;
  for (const Object &entry : listOf(object())) {
    if (entry.asInteger().value_or(0) < 0) {
      fail("an extent must not be negative, got " +
           llvm::Twine(*entry.asInteger()));
      return std::nullopt;
    }
    values.push_back(call.emitter.scalars.toIndex(loc(), entry, "an extent"));
    if (!values.back())
      return std::nullopt;
  }
  return values;
}

std::optional<SmallVector<Value>>
BuiltinArgument::indices(unsigned rank) const {
  std::vector<Object> entries = listOf(object());
  if (entries.size() != rank) {
    fail("'" + call.name + "' needs " + llvm::Twine(rank) +
         " entries here, one for each axis, got " +
         llvm::Twine(entries.size()));
    return std::nullopt;
  }
  SmallVector<Value> values;
  for (const Object &entry : entries) {
    values.push_back(call.emitter.scalars.toIndex(loc(), entry, "an entry"));
    if (!values.back())
      return std::nullopt;
  }
  return values;
}

std::optional<SmallVector<Value>>
BuiltinArgument::extents(unsigned rank) const {
  std::optional<SmallVector<Value>> sizes = indices(rank);
  if (!sizes)
    return std::nullopt;
  llvm::APInt number;
  for (Value size : *sizes)
    if (mlir::matchPattern(size, mlir::m_ConstantInt(&number)) &&
        number.isNegative()) {
      fail("an extent must not be negative, got " +
           llvm::Twine(number.getSExtValue()));
      return std::nullopt;
    }
  return sizes;
}

Value BuiltinArgument::number(llvm::StringRef what) const {
  return call.emitter.scalars.toIndex(loc(), object(), what);
}

/// The axis that an entry of `argument` names.
static std::optional<unsigned> readAxis(const BuiltinArgument &argument,
                                        const Object &entry, unsigned rank) {
  std::optional<int64_t> axis = entry.asInteger();
  if (!axis) {
    argument.fail("the axis must be known at compile time, got " +
                  describe(entry));
    return std::nullopt;
  }
  if (*axis < -int64_t(rank) || *axis >= int64_t(rank)) {
    argument.fail("axis " + llvm::Twine(*axis) + " is out of range for rank " +
                  llvm::Twine(rank));
    return std::nullopt;
  }
  return *axis < 0 ? *axis + rank : *axis;
}

std::optional<unsigned> BuiltinArgument::axis(unsigned rank) const {
  return readAxis(*this, object(), rank);
}

std::optional<SmallVector<unsigned>>
BuiltinArgument::axes(unsigned rank) const {
  SmallVector<unsigned> axes;
  if (!isGiven())
    return llvm::to_vector(llvm::seq(rank));
  for (const Object &entry : listOf(object())) {
    std::optional<unsigned> axis = readAxis(*this, entry, rank);
    if (!axis)
      return std::nullopt;
    if (llvm::is_contained(axes, *axis)) {
      call.fail("axis " + llvm::Twine(*axis) + " is named twice");
      return std::nullopt;
    }
    axes.push_back(*axis);
  }
  llvm::sort(axes);
  return axes;
}

std::optional<bool> BuiltinArgument::flag(bool otherwise) const {
  if (!isGiven())
    return otherwise;
  if (const auto *boolean = object().as<BoolObject>())
    return boolean->value;
  fail("expected True or False, got " + describe(object()));
  return std::nullopt;
}
