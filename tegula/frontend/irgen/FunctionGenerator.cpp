// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/FunctionGenerator.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tegula/frontend/irgen/calls/InstanceKey.h"
#include "tegula/frontend/irgen/signature/ParameterBinder.h"

using namespace tegula;
using mlir::Value;

bool FunctionGenerator::generate(llvm::ArrayRef<Object> arguments,
                                 FunctionInstance &instance,
                                 const EqualAxes &equal,
                                 const GridPosition &position) {
  Emitter &emitter = state.emitter;
  state.grid = position;
  unsigned numErrors = emitter.reporter.getNumErrors();
  if (!ParameterBinder(state, symbolExtents).bind(arguments, equal))
    return false;
  groups.begin(arguments);
  statements.emitBlock(state.function.getDefinition().body, nullptr);
  instance.groups = groups.finish();
  bool isWhole = emitter.reporter.getNumErrors() == numErrors;
  emitter.uses.reportEarlyReads(emitter.reporter);
  if (isWhole)
    emitter.uses.reportUnwritten(emitter.reporter, [&](Value parameter) {
      return !state.isEntry() && isReturned(parameter);
    });
  if (emitter.reporter.getNumErrors() != numErrors)
    return false;
  if (state.isEntry() && !state.function.getTraits().derivesDirections)
    emitter.uses.warnUndeclared(emitter.reporter);
  finish(instance, arguments);
  return emitter.reporter.getNumErrors() == numErrors;
}

/// True if the function returns a parameter as it is.
bool FunctionGenerator::isReturned(Value parameter) const {
  auto found = state.scope.find(Slot::Kind::Return);
  if (found == state.scope.end())
    return false;
  const Object &returned = found->second.object;
  std::vector<Object> values =
      returned.asTuple() ? *returned.asTuple() : std::vector<Object>{returned};
  return llvm::any_of(values, [&](const Object &value) {
    return value.asValue() && asParameter(value.asValue()) == parameter;
  });
}

/// Adds the values in `object` that are not parameters.
static void addReturned(const Object &object,
                        llvm::SmallVectorImpl<Value> &values) {
  if (const auto *tuple = object.asTuple())
    for (const Object &element : *tuple)
      addReturned(element, values);
  Value value = object.asValue();
  if (value && !asParameter(value))
    values.push_back(value);
}

/// Nobody outside sees what is assigned to a tile, unless it is returned.
void FunctionGenerator::checkWrittenTiles(const Object &returned) {
  std::vector<Object> values =
      returned.asTuple() ? *returned.asTuple() : std::vector<Object>{returned};
  for (const DeclaredParameter &parameter : state.parameters) {
    bool isTile = parameter.kind == DeclaredParameter::Kind::Tile;
    auto found = state.scope.find(parameter.name);
    if (!isTile || !parameter.isWritten() || found == state.scope.end())
      continue;
    Value tile = found->second.object.asValue();
    if (llvm::none_of(values, [&](const Object &value) {
          return value.asValue() == tile;
        }))
      state.emitter.fail(parameter.loc,
                         "'" + parameter.name +
                             "' is a tile, which leaves a function as its "
                             "result; return it");
  }
}

void FunctionGenerator::finish(FunctionInstance &instance,
                               llvm::ArrayRef<Object> arguments) {
  Emitter &emitter = state.emitter;
  mlir::func::FuncOp func = state.func;
  auto found = state.scope.find(Slot::Kind::Return);
  if (found != state.scope.end())
    instance.returned =
        expressions.usable(found->second.object, found->second.loc);
  else
    instance.returned = Object::none();
  if (hasValueInDict(instance.returned))
    instance.returned = emitter.fail(
        found->second.loc, "a dict with a run-time value in it cannot be "
                           "returned; return a tuple");
  if (state.isEntry() && !instance.returned.isPoison() &&
      !instance.returned.is<NoneObject>()) {
    entryResults.give(instance.returned, found->second.loc);
    instance.returned = Object::none();
  }
  checkWrittenTiles(instance.returned);
  llvm::SmallVector<Value> values;
  addReturned(instance.returned, values);
  instance.extents = emitter.crossing.find(values);
  for (CrossingExtent &extent : instance.extents) {
    Value value = emitter.extents.settled(func.getLoc(),
                                          values[extent.position], extent.axis);
    if (ExtentEmitter::isImportable(value))
      extent.known = value;
    else if (extent.mustBeSaid)
      values.push_back(value);
  }
  CrossingExtents::dropUnknown(instance.extents);
  mlir::func::ReturnOp::create(emitter.builder, func.getLoc(), values);
  func.setFunctionType(mlir::FunctionType::get(
      emitter.getContext(), func.getArgumentTypes(),
      llvm::SmallVector<mlir::Type>(mlir::ValueRange(values).getTypes())));
  for (const Object &argument : arguments)
    instance.isWritten.push_back(argument.asTensor() &&
                                 emitter.uses.isWritten(argument.asTensor()));
}
