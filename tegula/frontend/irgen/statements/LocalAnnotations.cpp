// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/statements/LocalAnnotations.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;
using pl::Dim;

/// True for a type that says what it holds.
static bool isType(StringRef path) {
  Construct construct = constructOf(path);
  return construct == Construct::Tile || construct == Construct::Tensor ||
         construct == Construct::Scalar;
}

/// A part of a window is a tensor like others.
static StringRef plainType(StringRef path) {
  return path == "distributed.DistributedTensor" ? "Tensor" : path;
}

/// The entries of a shape that is written out; none if it is not.
static llvm::ArrayRef<ast::ExprPtr> entriesOf(const ast::Expr &shape) {
  if (const auto *list = std::get_if<ast::List>(&shape.node))
    return list->elements;
  if (const auto *tuple = std::get_if<ast::Tuple>(&shape.node))
    return tuple->elements;
  return {};
}

/// Where an extent is a symbol, it must not be declared as another one.
void LocalAnnotations::checkSymbol(StringRef name, const ast::Expr &entry,
                                   const Object &extent, Value value,
                                   unsigned axis) {
  Value declared = extent.asScalar();
  auto wanted = declared ? declared.getDefiningOp<pl::BindOp>() : nullptr;
  if (!wanted || pl::getDims(value.getType())[axis].isExact())
    return;
  Location loc = locate(entry);
  auto found =
      emitter.extents.settled(loc, value, axis).getDefiningOp<pl::BindOp>();
  if (found && found.getSymbol() != wanted.getSymbol() &&
      !emitter.extents.isEqual(found.getResult(), declared))
    fail(loc, "'" + name + "' is declared with an extent of " +
                  wanted.getSymbol() + " here and has " + found.getSymbol());
}

/// Compares the extents that are numbers or symbols. A row may be written with
/// one extent.
void LocalAnnotations::checkShape(StringRef name, const ast::Expr &shape,
                                  Value value) {
  llvm::ArrayRef<ast::ExprPtr> entries = entriesOf(shape);
  llvm::ArrayRef<Dim> dims = pl::getDims(value.getType());
  while (dims.size() > entries.size() && dims.front().isUnit())
    dims = dims.drop_front();
  if (entries.empty())
    return;
  if (dims.size() != entries.size()) {
    fail(locate(shape), "'" + name + "' is declared with " +
                            llvm::Twine(entries.size()) + " axes and is " +
                            describe(value.getType()));
    return;
  }
  unsigned axis = pl::getDims(value.getType()).size() - dims.size();
  for (auto [entry, dim] : llvm::zip(entries, dims)) {
    Object extent = expressions.evaluate(*entry);
    std::optional<int64_t> number = extent.asInteger();
    bool isOther =
        extent.is<IntObject>() && dim.isExact() && *number != dim.getBound();
    bool isMore =
        extent.is<IntObject>() && dim.isBounded() && dim.getBound() > *number;
    if (isOther || isMore)
      fail(locate(*entry), "'" + name + "' is declared with an extent of " +
                               llvm::Twine(*number) + " here and is " +
                               describe(value.getType()));
    checkSymbol(name, *entry, extent, value, axis++);
  }
}

/// True for a comparison that is declared as the bytes other machines pack it
/// into, a bit for each element; how it is packed is not looked at.
bool LocalAnnotations::isMask(const ast::Expr &dtype, Value value) {
  if (!pl::isBool(pl::getElementOrSelf(value.getType())))
    return false;
  Object declared = expressions.evaluate(dtype);
  const auto *type = declared.as<DtypeObject>();
  return type && type->type.isUnsignedInteger(8);
}

/// The dtype behind a shape, or of a scalar.
void LocalAnnotations::checkDtype(StringRef name, const ast::Expr &dtype,
                                  Value value) {
  Object declared = expressions.evaluate(dtype);
  const auto *type = declared.as<DtypeObject>();
  mlir::Type element = pl::getElementOrSelf(value.getType());
  // A number that is counted with is an INDEX whatever it is called.
  bool isIndex = element.isIndex() && type && !pl::isFloat(type->type);
  bool isForIndex = type && type->type.isIndex() &&
                    pl::isIntegerOrBool(element) && !pl::isBool(element);
  if (type && type->type != element && !isIndex && !isForIndex)
    fail(locate(dtype), "'" + name + "' is declared as " +
                            getName(*pl::getDType(type->type)) + " and is " +
                            describe(value.getType()));
}

void LocalAnnotations::contradict(const Declared &declared,
                                  const llvm::Twine &shown) {
  fail(locate(declared.type), "'" + declared.name + "' is declared as " +
                                  shown + " and is " +
                                  describe(declared.object));
}

/// True if the object is of the kind that `pl.<kind>` says; nothing else is
/// looked at.
bool LocalAnnotations::checkKind(const Declared &declared, StringRef kind) {
  const Object &object = declared.object;
  bool isShaped = object.asTensor() || object.asTile();
  bool isScalar = object.asScalar() || object.isNumeric();
  bool isTask = object.is<TaskObject>() || object.is<NoneObject>();
  bool isRight = kind == "Tensor" || kind == "Tile"      ? isShaped
                 : kind == "Scalar"                      ? isScalar || isTask
                 : kind == "TaskId" || kind == "TASK_ID" ? isTask
                                                         : true;
  if (!isRight)
    contradict(declared, "pl." + kind);
  return isRight;
}

/// A type without brackets: `int`, a dtype for a scalar, `pl.Tile`.
void LocalAnnotations::checkPlain(const Declared &declared) {
  std::string word = ast::dottedName(declared.type);
  if (word == "tuple" || word == "list") {
    if (!declared.object.asTuple())
      contradict(declared, word);
    return;
  }
  Object type = expressions.evaluate(declared.type);
  if (type.isPoison())
    return;
  Value scalar = declared.object.asScalar();
  const auto *python = type.as<PythonObject>();
  bool isNumeric =
      python && (python->name == "int" || python->name == "float" ||
                 python->name == "bool");
  if (type.is<DtypeObject>() || isNumeric) {
    if (!scalar && !declared.object.isNumeric())
      contradict(declared, type.is<DtypeObject>()
                               ? word + ", a scalar of that dtype,"
                               : word);
    else if (scalar && type.is<DtypeObject>())
      checkDtype(declared.name, declared.type, scalar);
    return;
  }
  const std::string *path = type.asLanguage();
  StringRef kind = path ? plainType(*path) : "";
  bool isKnown = isType(kind) || kind == "TaskId" || kind == "TASK_ID" ||
                 kind == "constexpr";
  if (isKnown)
    checkKind(declared, kind);
  else if (!type.is<NoneObject>())
    fail(locate(declared.type), "expected pl.Tile, pl.Tensor, pl.Scalar or a "
                                "dtype as the type of '" +
                                    declared.name + "', got " + describe(type));
}

void LocalAnnotations::checkTuple(const Declared &declared,
                                  llvm::ArrayRef<const ast::Expr *> types) {
  const std::vector<Object> *elements = declared.object.asTuple();
  if (!elements || elements->size() != types.size())
    return contradict(declared, "a tuple of " + llvm::Twine(types.size()));
  for (auto [type, element] : llvm::zip(types, *elements))
    check(Declared{declared.name, *type, element});
}

void LocalAnnotations::checkSubscript(const Declared &declared,
                                      const ast::Subscript &node) {
  llvm::SmallVector<const ast::Expr *> parts;
  for (const ast::SubscriptItem &item : node.items)
    if (const auto *part = std::get_if<ast::ExprPtr>(&item))
      parts.push_back(part->get());
  std::string path = state.languagePath(*node.value);
  StringRef kind = plainType(path);
  std::string word = ast::dottedName(*node.value);
  if (kind == "Tuple" || word == "tuple")
    return checkTuple(declared, parts);
  // What an array holds, the right side says.
  if (kind == "Array" || word == "list")
    return;
  bool isWrapped =
      kind == "Out" || kind == "InOut" || kind == "In" || kind == "constexpr";
  if (isWrapped && parts.size() == 1)
    return check(Declared{declared.name, *parts.front(), declared.object});
  if (!isType(kind)) {
    fail(locate(declared.type), "expected pl.Tile, pl.Tensor or pl.Scalar as "
                                "the type of '" +
                                    declared.name + "', got '" +
                                    (word.empty() ? "an expression" : word) +
                                    "'");
    return;
  }
  Value value = declared.object.asValue();
  if (!checkKind(declared, kind) || !value)
    return;
  if (kind == "Scalar" && parts.size() == 1)
    return checkDtype(declared.name, *parts[0], value);
  if (kind == "Scalar" || parts.size() < 2 || isMask(*parts[1], value))
    return;
  checkShape(declared.name, *parts[0], value);
  checkDtype(declared.name, *parts[1], value);
}

void LocalAnnotations::check(const Declared &declared) {
  if (declared.object.isPoison() || declared.object.is<UnusableObject>())
    return;
  if (const auto *tuple = std::get_if<ast::Tuple>(&declared.type.node)) {
    llvm::SmallVector<const ast::Expr *> types;
    for (const ast::ExprPtr &element : tuple->elements)
      types.push_back(element.get());
    checkTuple(declared, types);
  } else if (const auto *node =
                 std::get_if<ast::Subscript>(&declared.type.node)) {
    checkSubscript(declared, *node);
  } else {
    checkPlain(declared);
  }
}

void LocalAnnotations::check(const ast::AnnAssign &node, const Object &object) {
  if (const auto *target = std::get_if<ast::Name>(&node.target->node))
    check(Declared{target->id, *node.annotation, object});
}
