// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters, symbols and results of a function.
#include "tegula/frontend/irgen/IRGenFunction.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tegula/frontend/irgen/InstanceKey.h"

using namespace tegula;
using mlir::Location;
using mlir::Value;

FunctionGenerator::FunctionGenerator(
    ModuleGenerator &module, const KernelFunction &function,
    const std::vector<DeclaredParameter> &parameters,
    const DeclaredSymbols &symbols, LoopTypeTable &loopTypes,
    mlir::func::FuncOp func)
    : module(module), function(function), parameters(parameters), func(func),
      emitter(&func.getBody().front(), module.getReporter()), symbols(symbols),
      loopTypes(loopTypes) {
  countNames(function.getDefinition().body, allNames);
}

bool FunctionGenerator::generate(llvm::ArrayRef<Object> arguments,
                                 FunctionInstance &instance,
                                 const EqualAxes &equal,
                                 const GridPlace &place) {
  grid = place;
  unsigned numErrors = emitter.reporter.getNumErrors();
  given.assign(arguments.begin(), arguments.end());
  bindParameters(arguments);
  if (!bindSymbols(arguments, equal))
    return false;
  if (module.isProbe || module.notesGroups)
    declareOwnGroups();
  emitBlock(function.getDefinition().body, nullptr);
  if (module.notesGroups)
    noteAgreements();
  instance.groups = groups;
  emitter.uses.finish(emitter.reporter,
                      emitter.reporter.getNumErrors() != numErrors);
  if (emitter.reporter.getNumErrors() != numErrors)
    return false;
  finish(instance, arguments);
  return emitter.reporter.getNumErrors() == numErrors;
}

void FunctionGenerator::bindParameters(llvm::ArrayRef<Object> arguments) {
  for (auto [parameter, argument] : llvm::zip(parameters, arguments)) {
    scope.insert({parameter.name, Variable{argument, parameter.loc}});
    if (Value tensor = argument.asTensor()) {
      bool mayWrite = parameter.isWritten() ||
                      (function.getKind() == pl::FunctionKind::Inline &&
                       !parameter.hasDirection);
      emitter.uses.addParameter(tensor, parameter, mayWrite);
    }
  }
}

bool FunctionGenerator::bindSymbols(llvm::ArrayRef<Object> arguments,
                                    const EqualAxes &equal) {
  for (const AxisSymbol &entry : symbols.axes) {
    Value value = arguments[entry.parameter].asValue();
    bool isShaped = value && !arguments[entry.parameter].asScalar();
    if (!isShaped || entry.axis >= pl::getDims(value.getType()).size()) {
      fail(entry.loc, "axis " + llvm::Twine(entry.axis) +
                          " is out of range for '" +
                          parameters[entry.parameter].name + "', which is " +
                          describe(arguments[entry.parameter]));
      return false;
    }
  }
  bool isEntry = function.getKind() == pl::FunctionKind::Entry ||
                 function.getKind() == pl::FunctionKind::Host;
  if (isEntry)
    bindEntrySymbols(arguments);
  else
    bindCalledSymbols(arguments, equal);
  if (!bindExpressions(arguments))
    return false;
  if (!isEntry)
    stateParameters(arguments);
  return true;
}

/// A parameter of a called function has the extents that the call found it to
/// share with others, or that its declaration says.
void FunctionGenerator::stateParameters(llvm::ArrayRef<Object> arguments) {
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    Value value = argument.asValue();
    if (!value)
      continue;
    Location loc = parameters[position].loc;
    std::vector<CrossingExtent> extents = emitter.crossingExtents(value);
    for (CrossingExtent &extent : extents)
      if (auto known = parameterExtents.find({position, extent.axis});
          known != parameterExtents.end())
        extent.known = known->second;
    Emitter::dropUnknown(extents);
    Value stated = value;
    emitter.stateExtents(loc, extents, stated, {});
    scope.insert_or_assign(
        parameters[position].name,
        Variable{
            Object(ValueObject{stated, argument.as<ValueObject>()->isWeak}),
            loc});
  }
}

/// Every dynamic axis of the entry is bound once, by an op that lists all axes
/// of its symbol; the guard of a call is made from these ops.
void FunctionGenerator::bindEntrySymbols(llvm::ArrayRef<Object> arguments) {
  struct Binding {
    std::string name;
    const Symbol *symbol;
    Location loc;
    llvm::SmallVector<Value> tensors = {};
    llvm::SmallVector<int64_t> axes = {};
  };
  std::vector<Binding> bindings;
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    Value tensor = argument.asTensor();
    if (!tensor)
      continue;
    for (auto [axis, dim] : llvm::enumerate(pl::getDims(tensor.getType()))) {
      if (dim.isExact())
        continue;
      const AxisSymbol *entry = symbols.find(position, axis);
      const DeclaredParameter &parameter = parameters[position];
      std::string name = entry
                             ? entry->symbol->name
                             : (parameter.name + "." + llvm::Twine(axis)).str();
      // Axes declared by one expression are as equal as those of one symbol.
      if (!entry && parameter.dims && (*parameter.dims)[axis].symbol)
        name = (*parameter.dims)[axis].symbol->name;
      auto known = llvm::find_if(bindings, [&](const Binding &binding) {
        return binding.name == name;
      });
      if (known == bindings.end()) {
        bindings.push_back({name, entry ? entry->symbol.get() : nullptr,
                            entry ? entry->loc : parameter.loc});
        known = std::prev(bindings.end());
      }
      known->tensors.push_back(tensor);
      known->axes.push_back(axis);
    }
  }
  for (const Binding &binding : bindings) {
    Value extent =
        pl::BindOp::create(emitter.builder, binding.loc, binding.name,
                           binding.tensors, binding.axes);
    if (binding.symbol)
      symbolExtents.insert({binding.symbol, Object(extent)});
  }
}

/// In a called function a symbol is the extent its argument has; the call has
/// checked that all axes of a symbol agree.
void FunctionGenerator::bindCalledSymbols(llvm::ArrayRef<Object> arguments,
                                          const EqualAxes &equal) {
  llvm::SmallVector<Value> extents;
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    Value value = argument.asValue();
    if (!value || argument.asScalar())
      continue;
    // Here, so that branches share it.
    for (auto [axis, dim] : llvm::enumerate(pl::getDims(value.getType()))) {
      unsigned first = equal[extents.size()];
      Location loc = parameters[position].loc;
      extents.push_back(first < extents.size()
                            ? extents[first]
                            : emitter.settledExtent(loc, value, axis));
      if (!dim.isExact())
        parameterExtents[{position, axis}] = extents.back();
    }
  }
  for (const AxisSymbol &entry : symbols.axes) {
    Value shaped = arguments[entry.parameter].asValue();
    auto known = symbolExtents.find(entry.symbol.get());
    if (known == symbolExtents.end())
      known = symbolExtents
                  .insert({entry.symbol.get(),
                           emitter.extentObject(entry.loc, shaped, entry.axis)})
                  .first;
    if (!pl::getDims(shaped.getType())[entry.axis].isExact())
      parameterExtents[{entry.parameter, entry.axis}] =
          emitter.toIndex(entry.loc, known->second, "an extent");
  }
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

void FunctionGenerator::finish(FunctionInstance &instance,
                               llvm::ArrayRef<Object> arguments) {
  auto found = scope.find(Slot::Kind::Return);
  if (found != scope.end())
    instance.returned = usable(found->second.object, found->second.loc);
  else
    instance.returned = Object::none();
  if (hasValueInDict(instance.returned)) {
    instance.returned =
        fail(found->second.loc, "a dict with a run-time value in it cannot be "
                                "returned; return a tuple");
  }
  llvm::SmallVector<Value> values;
  addReturned(instance.returned, values);
  instance.extents = emitter.crossingExtents(values);
  for (CrossingExtent &extent : instance.extents) {
    Value value = emitter.settledExtent(func.getLoc(), values[extent.position],
                                        extent.axis);
    if (Emitter::isImportable(value))
      extent.known = value;
    else if (extent.mustBeSaid)
      values.push_back(value);
  }
  Emitter::dropUnknown(instance.extents);
  mlir::func::ReturnOp::create(emitter.builder, func.getLoc(), values);
  func.setFunctionType(mlir::FunctionType::get(
      emitter.getContext(), func.getArgumentTypes(),
      llvm::SmallVector<mlir::Type>(mlir::ValueRange(values).getTypes())));
  for (const Object &argument : arguments)
    instance.isWritten.push_back(argument.asTensor() &&
                                 emitter.uses.isWritten(argument.asTensor()));
}
