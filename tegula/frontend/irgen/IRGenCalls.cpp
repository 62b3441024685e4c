// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: of functions of the language, of Python's builtins, of other kernels.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/emit/Requirements.h"
#include "tegula/frontend/irgen/IRGenFunction.h"
#include "tegula/frontend/irgen/InstanceKey.h"
#include "tegula/ir/ExtentFacts.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

std::optional<CallArguments>
FunctionGenerator::evaluateArguments(const ast::Expr &expr,
                                     const ast::Call &node) {
  CallArguments arguments{locate(expr), {}, {}};
  bool isRight = true;
  auto add = [&](const ast::Expr &argument) {
    CallArgument result{evaluate(argument), locate(argument)};
    isRight &= !result.object.isPoison();
    return result;
  };
  for (const ast::ExprPtr &argument : node.args)
    arguments.positional.push_back(add(*argument));
  for (const ast::Keyword &keyword : node.keywords)
    arguments.keywords.push_back({keyword.name, add(*keyword.value)});
  if (!isRight)
    return std::nullopt;
  return arguments;
}

Object FunctionGenerator::evaluateCall(const ast::Expr &expr,
                                       const ast::Call &node) {
  auto made = symbols.made.find(&expr);
  if (made != symbols.made.end())
    return made->second;
  if (const auto *method = std::get_if<ast::Attribute>(&node.callee->node)) {
    const auto *name = std::get_if<ast::Name>(&method->value->node);
    const Object *local = name && isLocal(name->id)
                              ? &scope.find(name->id)->second.object
                              : nullptr;
    bool isNamespace = local && (local->is<NamespaceObject>() ||
                                 (preludeCall && local->asLanguage()));
    if ((name && isLocal(name->id) && !isNamespace) ||
        method->name == "bind_dynamic")
      return callMethod(expr, node, *method);
  }
  Object callee = evaluate(*node.callee);
  if (const std::string *path = callee.asLanguage(); path && *path == "assume")
    return callAssume(node, locate(*node.callee));
  if (const std::string *path = callee.asLanguage())
    if (std::optional<Object> result = callControl(*path, expr, node))
      return *result;
  std::optional<CallArguments> arguments = evaluateArguments(expr, node);
  lastCallHadEffect = false;
  if (callee.isPoison())
    return callee;
  if (const std::string *path = callee.asLanguage()) {
    if (!arguments) {
      // The call itself may be wrong as well; a name that does not exist is.
      if (std::string message = unknownName(*path); !message.empty())
        fail(locate(*node.callee), message);
      return Object::poison();
    }
    bool hasEffect = false;
    arguments->loc = locate(*node.callee);
    Object result =
        StringRef(*path).starts_with("_") && !preludeCall
            ? fail(arguments->loc, "'pl." + *path + "' does not exist")
            : callBuiltin(
                  emitter, *path, *arguments, hasEffect,
                  [&](const PreludeCall &call) { return callPrelude(call); });
    lastCallHadEffect = hasEffect;
    return result;
  }
  if (!arguments)
    return Object::poison();
  if (const auto *builtin = callee.as<PythonObject>())
    return callPython(builtin->name, *arguments);
  if (const auto *other = callee.as<FunctionObject>())
    return callFunction(*other->function, *arguments);
  return fail(locate(*node.callee), describe(callee) + " cannot be called");
}

Object FunctionGenerator::callMethod(const ast::Expr &expr,
                                     const ast::Call &node,
                                     const ast::Attribute &method) {
  Object object = evaluate(*method.value);
  if (object.isPoison())
    return object;
  if (method.name == "bind_dynamic") {
    // Read before the body, at its top level only.
    bool isTopLevel = llvm::any_of(
        function.getDefinition().body, [&](const ast::StmtPtr &stmt) {
          const auto *statement = std::get_if<ast::ExprStmt>(&stmt->node);
          return statement && statement->value.get() == &expr;
        });
    if (!isTopLevel)
      return fail(locate(expr), "bind_dynamic must stand at the top level of "
                                "the body");
    lastCallHadEffect = true;
    return Object::none();
  }
  return fail(locate(method.nameLoc), describe(object) + " has no method '" +
                                          method.name + "'; call pl." +
                                          method.name + " if there is one");
}

Object FunctionGenerator::callPython(StringRef name,
                                     const CallArguments &arguments) {
  Location loc = arguments.loc;
  std::vector<Object> objects;
  for (const CallArgument &argument : arguments.positional)
    objects.push_back(argument.object);
  if (!arguments.keywords.empty())
    return fail(loc, name + "() takes no keyword arguments in a kernel");
  if (std::optional<Object> folded = foldCall(name, objects))
    return usable(*folded, loc);
  if (name.starts_with("math."))
    return fail(loc, name +
                         "() takes numbers known at compile time; write pl." +
                         name.drop_front(5) + " for values");
  bool allScalar = llvm::all_of(objects, [](const Object &object) {
    return object.isNumber() || object.asScalar();
  });
  if ((name == "min" || name == "max") && objects.size() >= 2) {
    if (!allScalar)
      return fail(loc, name + "() takes scalars; use pl." +
                           (name == "min" ? "minimum" : "maximum") +
                           " for elements");
    Object result = objects.front();
    for (const Object &object : llvm::drop_begin(objects))
      result = emitter.extreme(loc, name == "max", result, object);
    return result;
  }
  if (name == "abs" && objects.size() == 1 && objects[0].asValue()) {
    if (Value scalar = objects[0].asScalar())
      if (scalar.getType().isIndex())
        return emitter.extreme(
            loc, true, objects[0],
            emitter.unary(loc, ast::UnaryOp::Minus, objects[0]));
    return emitter.elementwise(loc, "abs", objects);
  }
  if (name == "range")
    return fail(loc, "range() belongs in a 'for'");
  if (name == "print")
    return fail(loc, "print() does not work in a kernel; write values to a "
                     "tensor");
  if (name == "int" || name == "float" || name == "bool")
    return fail(loc, name + "() is for values known at compile time; write "
                            "pl.cast(x, dtype)");
  return fail(loc, name + "() cannot take these arguments in a kernel");
}

/// A called function does not see where its arguments come from, so the call
/// says which of their extents agree.
EqualAxes FunctionGenerator::findEqualAxes(llvm::ArrayRef<Object> arguments,
                                           Location loc) {
  EqualAxes equal;
  llvm::SmallVector<std::pair<Value, unsigned>> axes;
  for (const Object &argument : arguments) {
    Value value = argument.asValue();
    if (!value || argument.asScalar())
      continue;
    llvm::ArrayRef<pl::Dim> dims = pl::getDims(value.getType());
    for (unsigned axis = 0; axis < dims.size(); ++axis) {
      // That bounded ones are equal is not worth a proof.
      auto agrees = [&](std::pair<Value, unsigned> other) {
        pl::Dim dim = pl::getDims(other.first.getType())[other.second];
        if (dims[axis].isAny())
          return dim.isAny() && emitter.isSameExtent(loc, other.first,
                                                     other.second, value, axis);
        return dim.isBounded() &&
               pl::nearRootsOfExtent(other.first, other.second) ==
                   pl::nearRootsOfExtent(value, axis);
      };
      auto first =
          dims[axis].isExact() ? axes.end() : llvm::find_if(axes, agrees);
      equal.push_back(first - axes.begin());
      axes.push_back({value, axis});
    }
  }
  return equal;
}

Object FunctionGenerator::callFunction(const KernelFunction &callee,
                                       const CallArguments &arguments) {
  Location loc = arguments.loc;
  if (callee.getKind() == pl::FunctionKind::Entry ||
      callee.getKind() == pl::FunctionKind::Host)
    return fail(loc,
                "'" + callee.getName() +
                    "' is a kernel of its own and cannot be called; decorate "
                    "it with @pl.jit.incore or @pl.jit.inline",
                {{callee.getLoc(), "defined here"}});
  const std::vector<DeclaredParameter> *params = module.parametersOf(callee);
  if (!params)
    return Object::poison();
  llvm::SmallVector<StringRef> names;
  llvm::SmallVector<bool> isRequired;
  for (const DeclaredParameter &parameter : *params) {
    names.push_back(parameter.name);
    isRequired.push_back(!parameter.defaultValue);
  }
  std::vector<std::optional<CallArgument>> bound;
  if (!bindArguments(callee.getName(), names, isRequired, arguments,
                     emitter.reporter, bound))
    return Object::poison();
  std::vector<Object> objects;
  bool isRight = true;
  for (auto [parameter, argument] : llvm::zip(*params, bound)) {
    objects.push_back(argument ? argument->object : *parameter.defaultValue);
    isRight &= adaptArgument(callee, parameter, objects.back(),
                             argument ? argument->loc : loc);
  }
  // A probe is there to find out which extents must agree.
  if (!isRight ||
      (!module.isProbe && !checkSymbols(callee, *params, objects, loc)))
    return Object::poison();
  const FunctionInstance *instance = module.instantiate(
      callee, objects, findEqualAxes(objects, loc), grid, loc);
  if (instance)
    noteGroups(instance->groups, objects, loc);
  if (!instance || !instance->func) {
    // What the function would have written counts as written.
    for (auto [parameter, object] : llvm::zip(*params, objects))
      if (object.asTensor() && parameter.isWritten())
        emitter.uses.write(object.asTensor());
    return Object::poison();
  }
  useArguments(*instance, *params, objects, loc);
  llvm::SmallVector<Value> operands;
  for (const Object &object : objects)
    addOperands(object, operands);
  for (auto [part, takes] : llvm::zip(grid.parts(), instance->takesPlace))
    if (takes)
      operands.push_back(part->asValue());
  auto call = mlir::func::CallOp::create(emitter.builder, loc, instance->func,
                                         operands);
  lastCallHadEffect = llvm::is_contained(instance->isWritten, true);
  llvm::SmallVector<Value> results(call.getResults());
  std::vector<CrossingExtent> extents = instance->extents;
  size_t numFurther = 0;
  for (CrossingExtent &extent : extents)
    if (extent.known)
      extent.known = emitter.importExtent(loc, extent.known, operands);
    else
      ++numFurther;
  emitter.stateExtents(loc, extents, results,
                       call.getResults().take_back(numFurther));
  llvm::ArrayRef<Value> remaining = results;
  return resultOf(instance->returned, operands, remaining);
}

/// Adds the run-time values of an argument, in order.
void FunctionGenerator::addOperands(const Object &argument,
                                    llvm::SmallVectorImpl<Value> &operands) {
  if (Value value = argument.asValue())
    operands.push_back(value);
  if (const auto *tuple = argument.asTuple())
    for (const Object &element : *tuple)
      addOperands(element, operands);
}

/// What a call gives: values made inside are results, parameters are the
/// arguments they were.
Object FunctionGenerator::resultOf(const Object &returned,
                                   llvm::ArrayRef<Value> operands,
                                   llvm::ArrayRef<Value> &results) {
  if (const auto *tuple = returned.asTuple()) {
    std::vector<Object> elements;
    for (const Object &element : *tuple)
      elements.push_back(resultOf(element, operands, results));
    return Object::tuple(std::move(elements));
  }
  Value value = returned.asValue();
  if (!value)
    return returned;
  if (mlir::BlockArgument argument = asParameter(value))
    return Object(operands[argument.getArgNumber()]);
  Value result = results.front();
  results = results.drop_front();
  return Object(result);
}

void FunctionGenerator::useArguments(const FunctionInstance &instance,
                                     llvm::ArrayRef<DeclaredParameter> params,
                                     llvm::ArrayRef<Object> arguments,
                                     Location loc) {
  for (auto [parameter, argument, isWritten] :
       llvm::zip(params, arguments, instance.isWritten)) {
    Value tensor = argument.asTensor();
    if (!tensor)
      continue;
    bool isOutput = parameter.direction == pl::Direction::Out ||
                    (isWritten && !parameter.hasDirection);
    if (!isOutput)
      emitter.uses.read(tensor, loc);
    if (isWritten && emitter.checkWritable(loc, tensor))
      emitter.uses.write(tensor);
  }
}

/// Reads and writes of a tensor are followed by its parameter, which a tuple
/// does not have.
static bool containsTensor(const Object &object) {
  const auto *tuple = object.asTuple();
  return object.asTensor() || (tuple && llvm::any_of(*tuple, containsTensor));
}

bool FunctionGenerator::adaptArgument(const KernelFunction &callee,
                                      const DeclaredParameter &parameter,
                                      Object &argument, Location loc) {
  using Kind = DeclaredParameter::Kind;
  auto refuse = [&](const llvm::Twine &wanted) {
    fail(loc, "'" + parameter.name + "' of '" + callee.getName() + "' is " +
                  wanted + ", got " + describe(argument));
    return false;
  };
  if (parameter.isConstexpr && containsValue(argument))
    return refuse("pl.constexpr and must be known at compile time");
  if (parameter.kind == Kind::Scalar) {
    if (argument.isNumber() && parameter.dtype) {
      bool isFloat = pl::isFloat(parameter.dtype);
      if (argument.is<FloatObject>() && !isFloat)
        return refuse(describe(parameter.dtype));
      if (isFloat)
        argument = Object::real(*argument.asReal());
      return true;
    }
    Value scalar = argument.asScalar();
    if (!scalar && !argument.isNumber())
      return refuse(parameter.dtype ? describe(parameter.dtype) : "a scalar");
    if (scalar && parameter.dtype)
      argument = Object(emitter.toScalar(loc, argument, parameter.dtype));
    return argument.asValue() || argument.isNumber();
  }
  bool isShaped = argument.asTensor() || argument.asTile();
  if (parameter.kind == Kind::Open && !isShaped) {
    if (containsTensor(argument))
      return refuse("given a tuple with a tensor in it; pass the tensor by "
                    "itself");
    if (hasValueInDict(argument))
      return refuse("given a dict with a run-time value in it; pass the value "
                    "by itself");
    return true;
  }
  if (!isShaped)
    return refuse("a tensor");
  if (parameter.isWritten() && !argument.asTensor())
    return refuse("written by it and must be a tensor");
  if (parameter.kind == Kind::Tile && argument.asTensor())
    argument = Object(emitter.toTile(loc, argument));
  return adaptShaped(callee, parameter, argument.asValue(), loc);
}

bool FunctionGenerator::adaptShaped(const KernelFunction &callee,
                                    const DeclaredParameter &parameter,
                                    Value value, Location loc) {
  auto refuse = [&](const llvm::Twine &message) {
    fail(loc,
         "'" + parameter.name + "' of '" + callee.getName() + "' " + message,
         {{parameter.loc, "declared here"}});
    return false;
  };
  mlir::Type element = pl::getElementOrSelf(value.getType());
  if (parameter.dtype && parameter.dtype != element)
    return refuse("holds " + dtypeName(parameter.dtype) + ", got " +
                  dtypeName(element));
  if (!parameter.dims)
    return true;
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(value.getType());
  if (parameter.dims->size() != dims.size())
    return refuse("has rank " + llvm::Twine(parameter.dims->size()) +
                  ", got rank " + llvm::Twine(dims.size()));
  for (auto [axis, declared] : llvm::enumerate(*parameter.dims)) {
    if (!declared.extent)
      continue;
    pl::Dim dim = dims[axis];
    bool fits = dim.isExactly(*declared.extent) ||
                (dim.isBounded() && dim.getBound() <= *declared.extent);
    if (!fits && dim.isAny() && module.isProbe) {
      pinAxis(value, axis, loc);
      continue;
    }
    if (!fits)
      return refuse("has extent " + llvm::Twine(*declared.extent) +
                    " on axis " + llvm::Twine(axis) + ", got " +
                    (dim.isAny() ? std::string("a run-time extent")
                                 : std::to_string(dim.getBound())));
  }
  return true;
}

/// All axes a called function declares with one symbol must have one extent.
bool FunctionGenerator::checkSymbols(const KernelFunction &callee,
                                     llvm::ArrayRef<DeclaredParameter> params,
                                     llvm::ArrayRef<Object> arguments,
                                     Location loc) {
  struct First {
    Value value;
    unsigned axis;
    StringRef parameter;
  };
  std::map<const Symbol *, First> seen;
  for (auto [parameter, argument] : llvm::zip(params, arguments)) {
    if (!parameter.dims || !argument.asValue())
      continue;
    for (auto [axis, dim] : llvm::enumerate(*parameter.dims)) {
      if (!dim.symbol || dim.symbol->expression)
        continue;
      Value value = argument.asValue();
      unsigned position = axis;
      if (!checkVariable(dim, value, position, loc))
        return false;
      auto [first, isNew] = seen.insert(
          {dim.symbol.get(), First{value, position, parameter.name}});
      if (isNew ||
          emitter.isSameExtent(loc, first->second.value, first->second.axis,
                               value, position) ||
          requireEqual(emitter, loc,
                       emitter.settledExtent(loc, first->second.value,
                                             first->second.axis),
                       emitter.settledExtent(loc, value, position)))
        continue;
      std::vector<Note> notes = {{dim.symbol->declared, "declared here"}};
      std::string left = emitter.describeExtent(loc, first->second.value,
                                                first->second.axis, notes);
      std::string right = emitter.describeExtent(loc, value, position, notes);
      fail(loc,
           "'" + callee.getName() + "' needs one extent " + dim.symbol->name +
               " for '" + first->second.parameter + "' and '" + parameter.name +
               "', got " + left + " and " + right,
           notes);
      return false;
    }
  }
  return true;
}
