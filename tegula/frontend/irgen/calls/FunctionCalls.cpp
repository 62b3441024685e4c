// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/calls/FunctionCalls.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/emit/Requirements.h"
#include "tegula/frontend/irgen/calls/DispatchResults.h"
#include "tegula/frontend/irgen/calls/InstanceKey.h"
#include "tegula/frontend/irgen/signature/AxisGroups.h"
#include "tegula/frontend/irgen/signature/SymbolExtents.h"
#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/PlRequireOps.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

/// A called function does not see where its arguments come from, so the call
/// says which of their extents agree.
EqualAxes FunctionCalls::findEqualAxes(llvm::ArrayRef<Object> arguments,
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
          return dim.isAny() &&
                 emitter.extents.isSameExtent(loc, other.first, other.second,
                                              value, axis);
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

/// An output that the call may leave out: the declaration says what to make.
/// Where the body says what is written, that may be the last parameter.
static bool canBeMade(const KernelFunction &callee,
                      const std::vector<DeclaredParameter> &parameters,
                      const DeclaredParameter &parameter) {
  bool mayBeOutput =
      parameter.direction == pl::Direction::Out ||
      (callee.getTraits().derivesDirections && !parameter.hasDirection &&
       parameters.size() > 1 && &parameter == &parameters.back());
  return mayBeOutput && parameter.dims && parameter.dtype;
}

/// The objects that the parameters get; false if they do not fit.
bool FunctionCalls::bind(const KernelFunction &callee,
                         const Parameters &parameters,
                         const CallArguments &arguments, Bound &bound) {
  llvm::SmallVector<StringRef> names;
  llvm::SmallVector<bool> isRequired;
  for (const DeclaredParameter &parameter : parameters) {
    names.push_back(parameter.name);
    isRequired.push_back(!parameter.defaultValue &&
                         !canBeMade(callee, parameters, parameter));
  }
  std::vector<std::optional<CallArgument>> given;
  if (!bindArguments(callee.getName(), names, isRequired, arguments,
                     emitter.reporter, given))
    return false;
  bool isRight = true;
  for (auto [parameter, argument] : llvm::zip(parameters, given)) {
    if (!argument && !parameter.defaultValue) {
      bound.objects.push_back(Object::none());
      continue;
    }
    Object object = argument ? argument->object : *parameter.defaultValue;
    Location loc = argument ? argument->loc : arguments.loc;
    isRight &= adaptArgument(callee, parameter, object, loc);
    Value value = object.asValue();
    if (isRight && value && parameter.dims && !object.asScalar())
      if (Value part = narrow(parameter, value, loc); part != value) {
        bound.whole[part] = value;
        object = Object(part);
      }
    bound.objects.push_back(object);
  }
  if (!isRight || !createOutputs(callee, parameters, arguments.loc, bound))
    return false;
  // A probe is there to find out which extents must agree.
  return state.module.isProbe ||
         checkSymbols(callee, parameters, bound.objects, arguments.loc);
}

/// An argument of run-time extents as long as its parameter is declared to be,
/// which the call of the kernel checks.
Value FunctionCalls::narrow(const DeclaredParameter &parameter, Value value,
                            Location loc) {
  llvm::ArrayRef<pl::Dim> dims = pl::getDims(value.getType());
  llvm::SmallVector<Value> offsets(dims.size(), emitter.scalars.index(0)),
      sizes;
  bool isNarrowed = false;
  for (auto [axis, declared] : llvm::enumerate(*parameter.dims)) {
    bool isChecked = declared.extent && dims[axis].isAny();
    isNarrowed |= isChecked;
    sizes.push_back(isChecked ? emitter.scalars.index(*declared.extent)
                              : emitter.extents.settled(loc, value, axis));
  }
  if (!isNarrowed || state.module.isProbe)
    return value;
  return emitter.memory.window(loc, value, offsets, sizes, {});
}

/// Makes the outputs that the call leaves out.
bool FunctionCalls::createOutputs(const KernelFunction &callee,
                                  const Parameters &parameters, Location loc,
                                  Bound &bound) {
  SymbolExtents extents(state);
  for (auto [parameter, object] : llvm::zip(parameters, bound.objects))
    if (Value value = object.asValue(); value && parameter.dims)
      for (auto [axis, dim] : llvm::enumerate(*parameter.dims))
        if (dim.symbol && !dim.symbol->expression)
          extents.bind(*dim.symbol, emitter.extents.objectOf(loc, value, axis));
  for (auto [parameter, object] : llvm::zip(parameters, bound.objects)) {
    if (!object.is<NoneObject>() || !canBeMade(callee, parameters, parameter))
      continue;
    Value made = createOutput(callee, parameter, extents, loc);
    if (!made)
      return false;
    object = Object(made);
  }
  return true;
}

Value FunctionCalls::createOutput(const KernelFunction &callee,
                                  const DeclaredParameter &parameter,
                                  SymbolExtents &extents, Location loc) {
  llvm::SmallVector<Value> sizes;
  for (auto [axis, dim] : llvm::enumerate(*parameter.dims)) {
    if (dim.extent) {
      sizes.push_back(emitter.scalars.index(*dim.extent));
      continue;
    }
    for (Symbol *unknown : extents.unknownIn({0, 0, dim.symbol, dim.loc})) {
      fail(loc,
           "'" + parameter.name + "' of '" + callee.getName() +
               "' is left out, but no other argument says how large " +
               unknown->name + " is",
           {{parameter.loc, "declared here"}});
      return {};
    }
    sizes.push_back(emitter.scalars.toIndex(
        loc, extents.valueOf(SymbolObject{dim.symbol}, loc), "an extent"));
  }
  pl::Dims dims;
  for (Value size : sizes)
    dims.push_back(pl::dimOfExtent(size));
  return pl::CreateTensorOp::create(
      emitter.builder, loc,
      pl::TensorViewType::get(emitter.getContext(), dims, parameter.dtype),
      sizes);
}

/// Takes `device=` out of the arguments, unless the function has a parameter of
/// that name.
static std::optional<CallArgument>
takeDevice(const std::vector<DeclaredParameter> &parameters,
           CallArguments &arguments) {
  auto found = llvm::find_if(arguments.keywords, [](const auto &keyword) {
    return keyword.first == "device";
  });
  bool isParameter =
      llvm::any_of(parameters, [](const DeclaredParameter &parameter) {
        return parameter.name == "device";
      });
  if (found == arguments.keywords.end() || isParameter)
    return std::nullopt;
  CallArgument device = found->second;
  arguments.keywords.erase(found);
  return device;
}

/// True if it only says what a function of the caller of a host program is
/// called and gets: its body is `...`.
static bool isCallback(const KernelFunction &callee) {
  auto isEllipsis = [](const ast::StmtPtr &statement) {
    const auto *only = std::get_if<ast::ExprStmt>(&statement->node);
    return only && std::holds_alternative<ast::Ellipsis>(only->value->node);
  };
  const FunctionTraits &traits = callee.getTraits();
  const ast::Block &body = callee.getDefinition().body;
  return traits.level == pl::Level::Host && traits.role == "SubWorker" &&
         !body.empty() && isEllipsis(body.back());
}

Object FunctionCalls::call(const KernelFunction &callee,
                           CallArguments arguments) {
  Location loc = arguments.loc;
  const Parameters *parameters = state.module.parametersOf(callee);
  if (!parameters)
    return Object::poison();
  std::optional<CallArgument> device = takeDevice(*parameters, arguments);
  Bound bound;
  if (!bind(callee, *parameters, arguments, bound))
    return Object::poison();
  if (isCallback(callee))
    return callBack(callee, *parameters, bound, loc);
  const FunctionInstance *instance = state.module.instantiate(
      callee, bound.objects, findEqualAxes(bound.objects, loc), state.grid,
      loc);
  if (instance)
    groups.noteCalled(instance->groups, bound.objects, loc);
  if (!instance || !instance->func) {
    // What the function would have written counts as written.
    for (auto [parameter, object] : llvm::zip(*parameters, bound.objects))
      if (object.asTensor() && parameter.isWritten())
        emitter.uses.write(object.asTensor());
    return Object::poison();
  }
  useArguments(*instance, *parameters, bound.objects, loc);
  return device ? dispatch(callee, *instance, bound, *device, loc)
                : emitCall(*instance, bound, loc);
}

/// Adds the run-time values of an argument, in order.
static void addOperands(const Object &argument,
                        llvm::SmallVectorImpl<Value> &operands) {
  if (Value value = argument.asValue())
    operands.push_back(value);
  if (const auto *tuple = argument.asTuple())
    for (const Object &element : *tuple)
      addOperands(element, operands);
}

/// What a call gives: values made inside are results, parameters are the
/// arguments they were.
static Object resultOf(const Object &returned, llvm::ArrayRef<Value> operands,
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

/// True if the function, or one that it calls, prints or asserts, or tells
/// others something or waits for them.
bool FunctionCalls::saysSomething(mlir::func::FuncOp function) {
  if (auto known = sayings.find(function); known != sayings.end())
    return known->second;
  bool says =
      function
          ->walk([&](mlir::Operation *op) {
            auto call = llvm::dyn_cast<mlir::func::CallOp>(op);
            auto callee =
                call ? mlir::SymbolTable::lookupNearestSymbolFrom<
                           mlir::func::FuncOp>(call, call.getCalleeAttr())
                     : mlir::func::FuncOp();
            bool found =
                llvm::isa<pl::PrintOp, pl::AssertOp, pl::BarrierOp,
                          pl::NotifyOp, pl::WaitOp, pl::MeetOp, pl::PeerEndOp>(
                    op) ||
                (callee && saysSomething(callee));
            return found ? mlir::WalkResult::interrupt()
                         : mlir::WalkResult::advance();
          })
          .wasInterrupted();
  sayings[function] = says;
  return says;
}

Object FunctionCalls::emitCall(const FunctionInstance &instance,
                               const Bound &bound, Location loc) {
  llvm::SmallVector<Value> operands;
  for (const Object &argument : bound.objects)
    addOperands(argument, operands);
  for (auto [part, takes] :
       llvm::zip(state.grid.parts(), instance.takesPosition))
    if (takes)
      operands.push_back(part->asValue());
  auto call =
      mlir::func::CallOp::create(emitter.builder, loc, instance.func, operands);
  state.lastCallHadEffect = llvm::is_contained(instance.isWritten, true) ||
                            saysSomething(instance.func);
  llvm::SmallVector<Value> results(call.getResults());
  std::vector<CrossingExtent> extents = instance.extents;
  size_t numFurther = 0;
  for (CrossingExtent &extent : extents)
    if (extent.known)
      extent.known = emitter.extents.importExtent(loc, extent.known, operands);
    else
      ++numFurther;
  emitter.crossing.state(loc, extents, results,
                         call.getResults().take_back(numFurther));
  // A parameter that is returned is all of its argument.
  for (Value &operand : operands)
    if (Value whole = bound.whole.lookup(operand))
      operand = whole;
  llvm::ArrayRef<Value> remaining = results;
  return resultOf(instance.returned, operands, remaining);
}

/// The call where this rank is the one it is for.
Object FunctionCalls::dispatch(const KernelFunction &callee,
                               const FunctionInstance &instance,
                               const Bound &bound, const CallArgument &device,
                               Location loc) {
  mlir::OpBuilder &builder = emitter.builder;
  Value rank = emitter.scalars.toIndex(device.loc, device.object, "a device");
  if (!rank)
    return Object::poison();
  llvm::SmallVector<Value> arguments, tensors;
  for (const Object &argument : bound.objects)
    addOperands(argument, arguments);
  DispatchResults results(emitter, loc);
  if (!results.create(instance, arguments))
    return fail(loc,
                "'" + callee.getName() +
                    "' is dispatched to a device, but the size of its result "
                    "is known only there; let it write to a parameter",
                {{callee.getLoc(), "declared here"}});
  llvm::SmallVector<bool> reads, writes;
  auto use = [&](Value tensor, bool isRead, bool isWritten) {
    tensors.push_back(tensor);
    reads.push_back(isRead);
    writes.push_back(isWritten);
  };
  for (auto [object, isWritten] : llvm::zip(bound.objects, instance.isWritten))
    if (Value tensor = object.asTensor(); tensor && !pl::isWindow(tensor))
      use(tensor, true, isWritten);
  for (Value tensor : results.getTensors())
    use(tensor, false, true);
  Value isMine = pl::DispatchOp::create(builder, loc, builder.getI1Type(), rank,
                                        tensors, reads, writes);
  auto branch = mlir::scf::IfOp::create(builder, loc, isMine,
                                        /*withElseRegion=*/false);
  Object given;
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    given = emitCall(instance, bound, loc);
    results.store(instance.returned, given);
    pl::DispatchEndOp::create(builder, loc);
  }
  state.lastCallHadEffect = true;
  return results.take(instance.returned, given);
}

/// The caller of the program runs it, for all ranks.
Object FunctionCalls::callBack(const KernelFunction &callee,
                               const Parameters &parameters, const Bound &bound,
                               Location loc) {
  mlir::OpBuilder &builder = emitter.builder;
  llvm::SmallVector<Value> tensors;
  llvm::SmallVector<bool> reads, writes;
  for (auto [parameter, object] : llvm::zip(parameters, bound.objects)) {
    Value tensor = object.asTensor();
    if (!tensor || pl::isWindow(tensor))
      return fail(loc, "the callback '" + callee.getName() +
                           "' gets tensors that all ranks see, got " +
                           (tensor ? "a window" : describe(object)) + " for '" +
                           parameter.name + "'");
    bool isRead = parameter.direction != pl::Direction::Out;
    tensors.push_back(tensor);
    reads.push_back(isRead);
    writes.push_back(parameter.isWritten());
    if (isRead)
      emitter.uses.read(tensor, loc);
    if (parameter.isWritten() && emitter.memory.checkWritable(loc, tensor))
      emitter.uses.write(tensor);
  }
  Value isMine =
      pl::DispatchOp::create(builder, loc, builder.getI1Type(),
                             emitter.scalars.index(0), tensors, reads, writes);
  auto branch = mlir::scf::IfOp::create(builder, loc, isMine,
                                        /*withElseRegion=*/false);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  pl::CallbackOp::create(builder, loc, callee.getName(), tensors);
  pl::DispatchEndOp::create(builder, loc);
  state.lastCallHadEffect = true;
  return Object::none();
}

void FunctionCalls::useArguments(const FunctionInstance &instance,
                                 const Parameters &parameters,
                                 llvm::ArrayRef<Object> arguments,
                                 Location loc) {
  for (auto [parameter, argument, isWritten] :
       llvm::zip(parameters, arguments, instance.isWritten)) {
    Value tensor = argument.asTensor();
    if (!tensor)
      continue;
    bool isOutput = parameter.direction == pl::Direction::Out ||
                    (isWritten && !parameter.hasDirection);
    if (!isOutput)
      emitter.uses.read(tensor, loc);
    if (isWritten && emitter.memory.checkWritable(loc, tensor))
      emitter.uses.write(tensor);
  }
}

/// Reads and writes of a tensor are followed by its parameter, which a tuple
/// does not have.
static bool containsTensor(const Object &object) {
  const auto *tuple = object.asTuple();
  return object.asTensor() || (tuple && llvm::any_of(*tuple, containsTensor));
}

bool FunctionCalls::adaptArgument(const KernelFunction &callee,
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
    if (argument.isNumeric() && parameter.dtype) {
      bool isFloat = pl::isFloat(parameter.dtype);
      if (argument.is<FloatObject>() && !isFloat)
        return refuse(describe(parameter.dtype));
      if (isFloat)
        argument = Object::real(*argument.asReal());
      return true;
    }
    Value scalar = argument.asScalar();
    if (!scalar && !argument.isNumeric())
      return refuse(parameter.dtype ? describe(parameter.dtype) : "a scalar");
    if (scalar && parameter.dtype)
      argument =
          Object(emitter.scalars.toScalar(loc, argument, parameter.dtype));
    return argument.asValue() || argument.isNumeric();
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
  if (parameter.isWritten() && parameter.kind != Kind::Tile &&
      !argument.asTensor())
    return refuse("written by it and must be a tensor");
  if (parameter.kind == Kind::Tile && argument.asTensor())
    argument = Object(emitter.memory.toTile(loc, argument));
  return adaptShaped(callee, parameter, argument.asValue(), loc);
}

bool FunctionCalls::adaptShaped(const KernelFunction &callee,
                                const DeclaredParameter &parameter, Value value,
                                Location loc) {
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
  return llvm::all_of(llvm::seq(dims.size()), [&](unsigned axis) {
    return checkExtent(callee, parameter, value, axis, loc);
  });
}

/// True if an axis is as long as a number in the declaration says. What is
/// known at run time only is required.
bool FunctionCalls::checkExtent(const KernelFunction &callee,
                                const DeclaredParameter &parameter, Value value,
                                unsigned axis, Location loc) {
  std::optional<int64_t> declared = (*parameter.dims)[axis].extent;
  pl::Dim dim = pl::getDims(value.getType())[axis];
  bool fits = !declared || dim.isExactly(*declared) ||
              (dim.isBounded() && dim.getBound() <= *declared);
  if (!fits && dim.isAny() && state.module.isProbe) {
    groups.pinAxis(value, axis, loc);
    return true;
  }
  if (!fits && dim.isAny())
    fits = requireEqual(emitter, loc, emitter.extents.settled(loc, value, axis),
                        emitter.scalars.index(*declared));
  if (!fits)
    fail(loc,
         "'" + parameter.name + "' of '" + callee.getName() + "' has extent " +
             llvm::Twine(*declared) + " on axis " + llvm::Twine(axis) +
             ", got " +
             (dim.isAny() ? std::string("another one at run time")
                          : std::to_string(dim.getBound())),
         {{parameter.loc, "declared here"}});
  return fits;
}

/// All axes a called function declares with one symbol must have one extent.
bool FunctionCalls::checkSymbols(const KernelFunction &callee,
                                 const Parameters &parameters,
                                 llvm::ArrayRef<Object> arguments,
                                 Location loc) {
  struct First {
    Value value;
    unsigned axis;
    StringRef parameter;
  };
  std::map<const Symbol *, First> seen;
  for (auto [parameter, argument] : llvm::zip(parameters, arguments)) {
    if (!parameter.dims || !argument.asValue())
      continue;
    for (auto [axis, dim] : llvm::enumerate(*parameter.dims)) {
      if (!dim.symbol || dim.symbol->expression)
        continue;
      Value value = argument.asValue();
      unsigned position = axis;
      auto [first, isNew] = seen.insert(
          {dim.symbol.get(), First{value, position, parameter.name}});
      if (isNew ||
          emitter.extents.isSameExtent(loc, first->second.value,
                                       first->second.axis, value, position) ||
          requireEqual(emitter, loc,
                       emitter.extents.settled(loc, first->second.value,
                                               first->second.axis),
                       emitter.extents.settled(loc, value, position)))
        continue;
      std::vector<Note> notes = {{dim.symbol->declared, "declared here"}};
      std::string left = emitter.extents.describeExtent(
          loc, first->second.value, first->second.axis, notes);
      std::string right =
          emitter.extents.describeExtent(loc, value, position, notes);
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
