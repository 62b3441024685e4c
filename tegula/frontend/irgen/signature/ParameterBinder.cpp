// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/signature/ParameterBinder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tegula/frontend/emit/Requirements.h"
#include "tegula/frontend/irgen/signature/SymbolExtents.h"
#include "tegula/frontend/irgen/signature/WrittenParameters.h"

using namespace tegula;
using mlir::Location;
using mlir::Value;

bool ParameterBinder::bind(llvm::ArrayRef<Object> arguments,
                           const EqualAxes &equal) {
  bindVariables(arguments);
  if (!checkAxes(arguments))
    return false;
  if (state.isEntry())
    bindEntrySymbols(arguments);
  else
    bindCalledSymbols(arguments, equal);
  if (!bindExpressions(arguments))
    return false;
  if (!state.isEntry())
    stateParameters(arguments);
  narrowParameters();
  return true;
}

/// Of a parameter with a valid shape the body sees just that.
void ParameterBinder::narrowParameters() {
  for (const DeclaredParameter &parameter : state.parameters) {
    if (!parameter.valid)
      continue;
    llvm::SmallVector<Value> sizes;
    for (const DeclaredDim &dim : *parameter.valid) {
      Object extent =
          dim.symbol ? symbolExtents.valueOf(SymbolObject{dim.symbol}, dim.loc)
                     : Object::integer(*dim.extent);
      if (extent.isPoison())
        return;
      sizes.push_back(emitter.scalars.toIndex(dim.loc, extent, "an extent"));
    }
    Object &object = scope.find(parameter.name)->second.object;
    llvm::SmallVector<Value> offsets(sizes.size(), emitter.scalars.index(0));
    object = Object(emitter.memory.window(parameter.loc, object.asValue(),
                                          offsets, sizes, {}));
  }
}

/// True if every axis that has a symbol is there.
bool ParameterBinder::checkAxes(llvm::ArrayRef<Object> arguments) {
  for (const AxisSymbol &entry : state.symbols.axes) {
    Value value = arguments[entry.parameter].asValue();
    bool isShaped = value && !arguments[entry.parameter].asScalar();
    if (!isShaped || entry.axis >= pl::getDims(value.getType()).size()) {
      fail(entry.loc,
           "axis " + llvm::Twine(entry.axis) + " is out of range for '" +
               state.parameters[entry.parameter].name + "', which is " +
               describe(arguments[entry.parameter]));
      return false;
    }
  }
  return true;
}

void ParameterBinder::bindVariables(llvm::ArrayRef<Object> arguments) {
  NameSet written =
      state.isEntry() ? writtenParameters(state.function) : NameSet();
  for (auto [parameter, argument] : llvm::zip(state.parameters, arguments)) {
    scope.insert({parameter.name, Variable{argument, parameter.loc}});
    if (Value tensor = argument.asTensor()) {
      bool followsFromBody =
          state.function.getKind() == pl::FunctionKind::Inline ||
          (state.function.getTraits().derivesDirections &&
           (parameter.dims || !state.isEntry())) ||
          written.contains(parameter.name);
      bool mayWrite =
          parameter.isWritten() || (followsFromBody && !parameter.hasDirection);
      emitter.uses.addParameter(tensor, parameter, mayWrite);
    }
  }
}

/// A parameter of a called function has the extents that the call found it to
/// share with others, or that its declaration says.
void ParameterBinder::stateParameters(llvm::ArrayRef<Object> arguments) {
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    Value value = argument.asValue();
    if (!value)
      continue;
    Location loc = state.parameters[position].loc;
    std::vector<CrossingExtent> extents = emitter.crossing.find(value);
    for (CrossingExtent &extent : extents)
      if (auto known = parameterExtents.find({position, extent.axis});
          known != parameterExtents.end())
        extent.known = known->second;
    CrossingExtents::dropUnknown(extents);
    Value stated = value;
    emitter.crossing.state(loc, extents, stated, {});
    scope.insert_or_assign(
        state.parameters[position].name,
        Variable{
            Object(ValueObject{stated, argument.as<ValueObject>()->isWeak}),
            loc});
  }
}

/// Every dynamic axis of the entry is bound once, by an op that lists all axes
/// of its symbol; the guard of a call is made from these ops.
void ParameterBinder::bindEntrySymbols(llvm::ArrayRef<Object> arguments) {
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
      const AxisSymbol *entry = state.symbols.find(position, axis);
      const DeclaredParameter &parameter = state.parameters[position];
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
      symbolExtents.bind(*binding.symbol, Object(extent));
  }
}

/// In a called function a symbol is the extent its argument has; the call has
/// checked that all axes of a symbol agree.
void ParameterBinder::bindCalledSymbols(llvm::ArrayRef<Object> arguments,
                                        const EqualAxes &equal) {
  llvm::SmallVector<Value> extents;
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    Value value = argument.asValue();
    if (!value || argument.asScalar())
      continue;
    // Here, so that branches share it.
    for (auto [axis, dim] : llvm::enumerate(pl::getDims(value.getType()))) {
      unsigned first = equal[extents.size()];
      Location loc = state.parameters[position].loc;
      extents.push_back(first < extents.size()
                            ? extents[first]
                            : emitter.extents.settled(loc, value, axis));
      if (!dim.isExact())
        parameterExtents[{position, axis}] = extents.back();
    }
  }
  for (const AxisSymbol &entry : state.symbols.axes) {
    Value shaped = arguments[entry.parameter].asValue();
    const Object *known = symbolExtents.find(entry.symbol.get());
    if (!known)
      known = &symbolExtents.bind(
          *entry.symbol,
          emitter.extents.objectOf(entry.loc, shaped, entry.axis));
    if (!pl::getDims(shaped.getType())[entry.axis].isExact())
      parameterExtents[{entry.parameter, entry.axis}] =
          emitter.scalars.toIndex(entry.loc, *known, "an extent");
  }
}

/// Binds the symbols that appear only inside expressions, and requires every
/// axis declared by an expression to be what the expression says.
bool ParameterBinder::bindExpressions(llvm::ArrayRef<Object> arguments) {
  std::vector<std::vector<Object>> conditions(state.symbols.expressions.size());
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (auto [position, axis] : llvm::enumerate(state.symbols.expressions)) {
      std::vector<Symbol *> unknown = symbolExtents.unknownIn(axis);
      Value shaped = arguments[axis.parameter].asValue();
      if (unknown.size() == 1)
        hasChanged |= symbolExtents.solve(
            axis, unknown.front(),
            emitter.extents.objectOf(axis.loc, shaped, axis.axis),
            conditions[position]);
    }
  }
  for (const AxisSymbol &axis : state.symbols.expressions)
    for (Symbol *unknown : symbolExtents.unknownIn(axis)) {
      fail(axis.loc,
           unknown->name + " cannot be found from " + axis.symbol->name +
               "; give a tensor whose axis is " + unknown->name,
           {{unknown->declared, "declared here"}});
      return false;
    }
  for (auto [position, axis] : llvm::enumerate(state.symbols.expressions))
    if (!requireExpression(axis, arguments[axis.parameter].asValue(),
                           conditions[position]))
      return false;
  return true;
}

bool ParameterBinder::requireExpression(const AxisSymbol &axis, Value shaped,
                                        llvm::ArrayRef<Object> conditions) {
  Location loc = axis.loc;
  Object actual = emitter.extents.objectOf(loc, shaped, axis.axis);
  Object expected = symbolExtents.valueOf(SymbolObject{axis.symbol}, loc);
  bool isSolved = !conditions.empty();
  std::vector<Object> all(conditions.begin(), conditions.end());
  all.insert(all.begin(), emitter.operators.compare(loc, ast::CompareOp::Eq,
                                                    actual, expected));
  Value condition;
  for (const Object &part : all) {
    if (part.isPoison())
      return false;
    if (part.isNumeric() && *part.asInteger() == 0) {
      fail(loc, "axis " + llvm::Twine(axis.axis) + " of '" +
                    state.parameters[axis.parameter].name + "' is " +
                    axis.symbol->name + ", got " +
                    (actual.asInteger() ? std::to_string(*actual.asInteger())
                                        : std::string("a run-time extent")));
      return false;
    }
    if (Value truth = part.asValue())
      condition = condition ? emitter.builder.createOrFold<mlir::arith::AndIOp>(
                                  loc, condition, truth)
                            : truth;
  }
  std::string text = "axis " + std::to_string(axis.axis) + " of '" +
                     state.parameters[axis.parameter].name.str() +
                     "' == " + axis.symbol->name;
  Requirement requirement{condition, text, pl::declaredOrigin};
  if (state.isEntry()) {
    requirement.argument = axis.parameter;
    requirement.axis = axis.axis;
  }
  if (!isSolved)
    requirement.sizes = symbolExtents.sizesOf(axis, expected);
  if (condition && !require(emitter, loc, std::move(requirement)))
    return false;
  if (!isSolved && expected.asValue() &&
      !pl::getDims(shaped.getType())[axis.axis].isExact())
    parameterExtents[{axis.parameter, axis.axis}] = expected.asValue();
  return true;
}
