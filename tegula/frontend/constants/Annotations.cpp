// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/Annotations.h"
#include "tegula/frontend/constants/ConstantEvaluator.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/constants/Environment.h"
#include "tegula/frontend/constants/NamesElsewhere.h"
#include "tegula/frontend/constants/module/Decorators.h"

using namespace tegula;
using llvm::StringRef;
using Kind = DeclaredParameter::Kind;

namespace {

/// Reads annotations of one function.
class AnnotationReader {
public:
  AnnotationReader(const KernelFunction &function, Reporter &reporter)
      : function(function), reporter(reporter) {}

  bool read(const ast::Expr &expr, DeclaredParameter &parameter);
  Object evaluate(const ast::Expr &expr);

private:
  mlir::Location locate(const ast::Expr &expr) {
    return function.getSource().locate(expr.loc);
  }
  bool fail(const ast::Expr &expr, const llvm::Twine &message) {
    reporter.error(locate(expr), message);
    return false;
  }

  bool readPlain(const ast::Expr &expr, DeclaredParameter &parameter);
  bool readSubscript(const ast::Expr &expr, const ast::Subscript &node,
                     DeclaredParameter &parameter);
  bool readDirection(StringRef name, const ast::Expr &expr,
                     const ast::Subscript &node, DeclaredParameter &parameter);
  bool readShaped(StringRef name, const ast::Expr &expr,
                  const ast::Subscript &node, DeclaredParameter &parameter);
  bool readDetail(const ast::Expr &expr, DeclaredParameter &parameter);
  bool readShape(const ast::Expr &expr,
                 std::optional<std::vector<DeclaredDim>> &dims);
  bool readDtype(const ast::Expr &expr, DeclaredParameter &parameter);

  const KernelFunction &function;
  Reporter &reporter;
};

} // namespace

Object AnnotationReader::evaluate(const ast::Expr &expr) {
  Environment &environment = function.getEnvironment();
  Object object =
      evaluateConstant(expr, function.getSource(), [&](StringRef name) {
        return environment.lookup(name);
      });
  if (const auto *failure = object.as<UnusableObject>()) {
    reporter.error(locate(expr), failure->message, failure->notes);
    return Object::poison();
  }
  return object;
}

bool AnnotationReader::read(const ast::Expr &expr,
                            DeclaredParameter &parameter) {
  if (const auto *subscript = std::get_if<ast::Subscript>(&expr.node))
    return readSubscript(expr, *subscript, parameter);
  return readPlain(expr, parameter);
}

/// Peers write there, so it is never read only.
static void becomeWindow(DeclaredParameter &parameter) {
  parameter.isWindow = true;
  if (!parameter.hasDirection)
    parameter.direction = pl::Direction::InOut;
  parameter.hasDirection = true;
}

bool AnnotationReader::readPlain(const ast::Expr &expr,
                                 DeclaredParameter &parameter) {
  Object object = evaluate(expr);
  if (object.isPoison())
    return false;
  mlir::MLIRContext *context = parameter.loc.getContext();
  parameter.kind = Kind::Scalar;
  if (const auto *dtype = object.as<DtypeObject>()) {
    parameter.dtype = dtype->type;
    return true;
  }
  if (const auto *builtin = object.as<PythonObject>()) {
    std::optional<DType> dtype;
    if (builtin->name == "int")
      dtype = DType::Index;
    else if (builtin->name == "float")
      dtype = DType::FP32;
    else if (builtin->name == "bool")
      dtype = DType::Bool;
    if (dtype) {
      parameter.dtype = toType(context, *dtype);
      return true;
    }
  }
  const std::string *path = object.asLanguage();
  // A task is known while compiling, as far as there is anything to know; so
  // is what ranks belong to.
  if (path && (*path == "TaskId" || *path == "TASK_ID" ||
               *path == "distributed.CommCtx")) {
    parameter.kind = Kind::Open;
    return true;
  }
  if (path && *path == "Scalar")
    return true;
  if (path && *path == "constexpr") {
    parameter.kind = Kind::Open;
    parameter.isConstexpr = true;
    return true;
  }
  if (path && (*path == "Tensor" || *path == "Tile")) {
    parameter.kind = *path == "Tensor" ? Kind::Tensor : Kind::Tile;
    return true;
  }
  if (path && *path == "distributed.DistributedTensor") {
    parameter.kind = Kind::Tensor;
    becomeWindow(parameter);
    return true;
  }
  if (object.is<StringObject>())
    return fail(expr, "write the annotation without quotes");
  return fail(expr, "expected pl.Tensor, pl.Out, pl.InOut, pl.Scalar, pl.Tile "
                    "or a dtype, got " +
                        describe(object));
}

bool AnnotationReader::readSubscript(const ast::Expr &expr,
                                     const ast::Subscript &node,
                                     DeclaredParameter &parameter) {
  Object object = evaluate(*node.value);
  if (object.isPoison())
    return false;
  const std::string *path = object.asLanguage();
  for (const ast::SubscriptItem &item : node.items)
    if (std::holds_alternative<ast::Slice>(item))
      return fail(expr, "an annotation takes no slices");
  if (path && (*path == "In" || *path == "Out" || *path == "InOut"))
    return readDirection(*path, expr, node, parameter);
  if (path && (*path == "Tensor" || *path == "Tile"))
    return readShaped(*path, expr, node, parameter);
  if (path && *path == "distributed.DistributedTensor") {
    becomeWindow(parameter);
    return readShaped("Tensor", expr, node, parameter);
  }
  if (path && *path == "Scalar") {
    parameter.kind = Kind::Scalar;
    if (node.items.size() != 1)
      return fail(expr, "pl.Scalar takes one dtype");
    const ast::Expr &dtype = *std::get<ast::ExprPtr>(node.items.front());
    Object task = evaluate(dtype);
    if (task.asLanguage() && *task.asLanguage() == "TASK_ID")
      return readPlain(dtype, parameter);
    return readDtype(*std::get<ast::ExprPtr>(node.items.front()), parameter);
  }
  if (path && *path == "Array" && node.items.size() == 2) {
    // Whatever it holds, the call brings it.
    parameter.kind = Kind::Open;
    return true;
  }
  if (path && *path == "constexpr" && node.items.size() == 1) {
    if (!read(*std::get<ast::ExprPtr>(node.items.front()), parameter))
      return false;
    parameter.isConstexpr = true;
    return true;
  }
  return fail(expr, "expected pl.Tensor, pl.Out, pl.InOut, pl.Scalar or "
                    "pl.Tile, got " +
                        describe(object));
}

bool AnnotationReader::readDirection(StringRef name, const ast::Expr &expr,
                                     const ast::Subscript &node,
                                     DeclaredParameter &parameter) {
  if (parameter.hasDirection || node.items.size() != 1)
    return fail(expr, "pl." + name + " takes one tensor type");
  parameter.hasDirection = true;
  parameter.direction = name == "In"    ? pl::Direction::In
                        : name == "Out" ? pl::Direction::Out
                                        : pl::Direction::InOut;
  if (!read(*std::get<ast::ExprPtr>(node.items.front()), parameter))
    return false;
  if (parameter.kind != Kind::Tensor && parameter.kind != Kind::Tile)
    return fail(expr, "only a tensor or a tile can be pl." + name +
                          "; return scalars instead");
  return true;
}

bool AnnotationReader::readShaped(StringRef name, const ast::Expr &expr,
                                  const ast::Subscript &node,
                                  DeclaredParameter &parameter) {
  parameter.kind = name == "Tensor" ? Kind::Tensor : Kind::Tile;
  if (node.items.size() < 2)
    return fail(expr, "pl." + name + " takes a shape and a dtype: pl." + name +
                          "[[M, 128], pl.FP32]");
  for (const ast::SubscriptItem &item : llvm::drop_begin(node.items, 2))
    if (!readDetail(*std::get<ast::ExprPtr>(item), parameter))
      return false;
  bool hasShape =
      readShape(*std::get<ast::ExprPtr>(node.items[0]), parameter.dims);
  bool hasDtype = readDtype(*std::get<ast::ExprPtr>(node.items[1]), parameter);
  if (hasShape && parameter.valid &&
      parameter.valid->size() != parameter.dims->size())
    return fail(expr,
                "valid_shape has " + llvm::Twine(parameter.valid->size()) +
                    " axes, the tensor " + llvm::Twine(parameter.dims->size()));
  return hasShape && hasDtype;
}

/// What stands behind the dtype. Memories, layouts and declared allocations are
/// the compiler's business; of a view, its valid shape is the parameter's.
bool AnnotationReader::readDetail(const ast::Expr &expr,
                                  DeclaredParameter &parameter) {
  const auto *call = std::get_if<ast::Call>(&expr.node);
  if (!call || !StringRef(ast::dottedName(*call->callee)).ends_with("View"))
    return true;
  for (const ast::Keyword &keyword : call->keywords)
    if (keyword.name == "valid_shape" &&
        !std::holds_alternative<ast::None>(keyword.value->node))
      return readShape(*keyword.value, parameter.valid);
  return true;
}

bool AnnotationReader::readShape(
    const ast::Expr &expr, std::optional<std::vector<DeclaredDim>> &dims) {
  const std::vector<ast::ExprPtr> *entries = nullptr;
  if (const auto *list = std::get_if<ast::List>(&expr.node))
    entries = &list->elements;
  if (const auto *tuple = std::get_if<ast::Tuple>(&expr.node))
    entries = &tuple->elements;
  dims.emplace();
  auto add = [&](const Object &object, const ast::Expr &entry) {
    DeclaredDim dim{locate(entry), object.asInteger(), nullptr};
    if (const auto *name = std::get_if<ast::Name>(&entry.node))
      dim.variable = name->id.str();
    if (const auto *symbol = object.as<SymbolObject>())
      dim.symbol = symbol->symbol;
    else if (object.is<BoolObject>() || !dim.extent)
      return fail(entry, "an extent must be an integer or a symbol made by "
                         "pl.dynamic, got " +
                             describe(object));
    else if (*dim.extent < 0)
      return fail(entry, "an extent must not be negative, got " +
                             llvm::Twine(*dim.extent));
    if (dim.symbol && dim.symbol->name.empty())
      return fail(entry, "pl.dynamic() is named by the variable it is assigned "
                         "to; write pl.dynamic(\"M\") here");
    dims->push_back(dim);
    return true;
  };
  bool isRight = true;
  if (entries) {
    for (const ast::ExprPtr &entry : *entries) {
      Object object = evaluate(*entry);
      isRight &= !object.isPoison() && add(object, *entry);
    }
    return isRight;
  }
  Object shape = evaluate(expr);
  if (shape.isPoison())
    return false;
  if (!shape.asTuple())
    return fail(expr,
                "the shape must be a list of extents, got " + describe(shape));
  for (const Object &entry : *shape.asTuple())
    isRight &= add(entry, expr);
  return isRight;
}

bool AnnotationReader::readDtype(const ast::Expr &expr,
                                 DeclaredParameter &parameter) {
  Object object = evaluate(expr);
  if (object.isPoison())
    return false;
  const auto *dtype = object.as<DtypeObject>();
  if (!dtype)
    return fail(expr, notADtype(object));
  parameter.dtype = dtype->type;
  // Memory keeps an INDEX in 64 bits.
  if (parameter.kind != Kind::Scalar && dtype->type.isIndex())
    parameter.dtype = mlir::IntegerType::get(dtype->type.getContext(), 64);
  return true;
}

std::optional<std::vector<DeclaredParameter>>
tegula::readParameters(const KernelFunction &function, Reporter &reporter) {
  AnnotationReader reader(function, reporter);
  std::vector<DeclaredParameter> parameters;
  bool isRight = true;
  for (const ast::Param &param : function.getParams()) {
    mlir::Location loc = function.getSource().locate(param.loc);
    if (param.kind == ast::ParamKind::Star ||
        param.kind == ast::ParamKind::DoubleStar) {
      reporter.error(
          loc, "a kernel takes no '" +
                   StringRef(param.kind == ast::ParamKind::Star ? "*" : "**") +
                   param.name + "'; name every parameter");
      isRight = false;
      continue;
    }
    DeclaredParameter &parameter =
        parameters.emplace_back(DeclaredParameter{param.name, loc});
    if (param.annotation)
      isRight &= reader.read(*param.annotation, parameter);
    if (param.defaultValue) {
      parameter.defaultValue = function.getEnvironment().lookup(
          nameOfDefault(function.getName(), param.name));
      if (!parameter.defaultValue)
        parameter.defaultValue = reader.evaluate(*param.defaultValue);
      isRight &= !parameter.defaultValue->isPoison();
      // A scalar is a run-time value anyway; the word gives no default.
      const std::string *word = parameter.defaultValue->asLanguage();
      if (word && *word == "RUNTIME")
        parameter.defaultValue = std::nullopt;
    }
  }
  if (!isRight)
    return std::nullopt;
  return parameters;
}

/// The types in `tuple[A, B]`, `pl.Tuple[A, B]` and `(A, B)`; otherwise the one
/// type there is.
static std::vector<const ast::Expr *>
elementsOf(const ast::Expr &expr, llvm::function_ref<bool(StringRef)> isTuple) {
  std::vector<const ast::Expr *> elements;
  if (const auto *tuple = std::get_if<ast::Tuple>(&expr.node)) {
    for (const ast::ExprPtr &element : tuple->elements)
      elements.push_back(element.get());
    return elements;
  }
  const auto *subscript = std::get_if<ast::Subscript>(&expr.node);
  if (!subscript || !isTuple(ast::dottedName(*subscript->value)))
    return {&expr};
  for (const ast::SubscriptItem &item : subscript->items)
    if (const auto *element = std::get_if<ast::ExprPtr>(&item))
      elements.push_back(element->get());
  return elements;
}

std::optional<std::vector<DeclaredParameter>>
tegula::readResults(const KernelFunction &function, Reporter &reporter) {
  std::vector<DeclaredParameter> results;
  const ast::Expr &expr = *function.getDefinition().returns;
  if (std::holds_alternative<ast::None>(expr.node))
    return results;
  AnnotationReader reader(function, reporter);
  auto isTuple = [](StringRef name) {
    return name == "tuple" || name == "Tuple" || name.ends_with(".Tuple");
  };
  bool isRight = true;
  for (const ast::Expr *element : elementsOf(expr, isTuple)) {
    mlir::Location loc = function.getSource().locate(element->loc);
    DeclaredParameter &result =
        results.emplace_back(DeclaredParameter{"the result", loc});
    bool isNested = std::holds_alternative<ast::Tuple>(element->node);
    if (const auto *inner = std::get_if<ast::Subscript>(&element->node))
      isNested |= isTuple(ast::dottedName(*inner->value));
    // A tuple in a tuple stays open.
    isRight &= isNested || reader.read(*element, result);
  }
  if (!isRight)
    return std::nullopt;
  return results;
}
