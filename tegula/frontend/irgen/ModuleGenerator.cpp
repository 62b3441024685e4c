// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/ModuleGenerator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/irgen/FunctionGenerator.h"
#include "tegula/frontend/irgen/calls/InstanceKey.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/attributes/EntryAttributes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;
using mlir::Location;
using Kind = DeclaredParameter::Kind;

const std::vector<DeclaredParameter> *
ModuleGenerator::parametersOf(const KernelFunction &function) {
  auto found = parameters.find(&function);
  if (found == parameters.end())
    found = parameters.insert({&function, readParameters(function, reporter)})
                .first;
  return found->second ? &*found->second : nullptr;
}

/// The type of a parameter of the entry: what the annotation says, then what
/// the call knows.
mlir::Type ModuleGenerator::entryType(const DeclaredParameter &parameter,
                                      unsigned position,
                                      const DeclaredSymbols &symbols,
                                      llvm::ArrayRef<ArgumentSpec> specs) {
  const ArgumentSpec *spec =
      position < specs.size() ? &specs[position] : nullptr;
  bool isTensor = parameter.kind == Kind::Tensor ||
                  (parameter.kind == Kind::Open && spec && spec->isTensor);
  bool isOpen = !parameter.dtype || (isTensor && !parameter.dims);
  if (parameter.kind == Kind::Tile) {
    reporter.error(parameter.loc, "a kernel takes tensors and scalars; a tile "
                                  "exists only inside it");
    return {};
  }
  if (isOpen && !spec) {
    reporter.error(parameter.loc,
                   "the type of '" + parameter.name +
                       "' is not known; annotate it, for example "
                       "pl.Tensor[[M, 128], pl.FP32]");
    return {};
  }
  mlir::Type element =
      parameter.dtype ? parameter.dtype : toType(context, spec->dtype);
  if (!isTensor)
    return element;
  pl::Dims dims;
  size_t rank = parameter.dims ? parameter.dims->size() : spec->shape.size();
  for (size_t axis = 0; axis < rank; ++axis) {
    std::optional<int64_t> extent =
        parameter.dims ? (*parameter.dims)[axis].extent : spec->shape[axis];
    bool isDynamic = !extent || symbols.find(position, axis);
    dims.push_back(isDynamic ? pl::Dim::any() : pl::Dim::exactly(*extent));
  }
  return pl::TensorViewType::get(context, dims, element);
}

mlir::func::FuncOp ModuleGenerator::createFunction(
    const KernelFunction &function, llvm::StringRef name,
    const std::vector<DeclaredParameter> &params,
    llvm::ArrayRef<llvm::SmallVector<mlir::Type>> types) {
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module.getBody());
  names.try_emplace(name);
  llvm::SmallVector<mlir::Type> inputs;
  for (const llvm::SmallVector<mlir::Type> &group : types)
    inputs.append(group.begin(), group.end());
  auto func =
      mlir::func::FuncOp::create(builder, function.getLoc(), name,
                                 mlir::FunctionType::get(context, inputs, {}));
  // What is an entry for others is a helper where it is called.
  pl::FunctionKind kind = function.getKind();
  bool isEntryKind =
      kind == pl::FunctionKind::Entry || kind == pl::FunctionKind::Host;
  func->setAttr(pl::kindAttrName, pl::FunctionKindAttr::get(
                                      context, isEntryKind && !stack.empty()
                                                   ? pl::FunctionKind::Inline
                                                   : kind));
  if (function.getTraits().level)
    func->setAttr(pl::levelAttrName,
                  pl::LevelAttr::get(context, *function.getTraits().level));
  if (!function.getTraits().role.empty())
    func->setAttr(pl::roleAttrName,
                  builder.getStringAttr(function.getTraits().role));
  mlir::Block *entry = func.addEntryBlock();
  unsigned next = 0;
  for (auto [parameter, group] : llvm::zip(params, types))
    for (auto [position, type] : llvm::enumerate(group)) {
      entry->getArgument(next).setLoc(parameter.loc);
      std::string name = parameter.name.str();
      // A tuple has one argument for each value in it.
      if (group.size() > 1)
        name += "." + std::to_string(position);
      func.setArgAttr(next, pl::nameAttrName, builder.getStringAttr(name));
      if (llvm::isa<pl::TensorViewType>(type))
        func.setArgAttr(next, pl::directionAttrName,
                        pl::DirectionAttr::get(context, parameter.direction));
      if (parameter.isWindow && kind == pl::FunctionKind::Host)
        func.setArgAttr(next, pl::windowAttrName, builder.getUnitAttr());
      ++next;
    }
  return func;
}

/// A kernel of more ops would take minutes to compile.
static constexpr uint64_t maxOps = 200000;

/// The ops of `func` when every helper stands at each of its calls.
static uint64_t countOps(mlir::func::FuncOp func,
                         const mlir::SymbolTable &symbols,
                         llvm::DenseMap<mlir::Operation *, uint64_t> &counts) {
  auto found = counts.find(func);
  if (found != counts.end())
    return found->second;
  uint64_t count = 0;
  func.walk([&](mlir::Operation *op) {
    ++count;
    auto call = llvm::dyn_cast<mlir::func::CallOp>(op);
    auto callee =
        call ? symbols.lookup<mlir::func::FuncOp>(call.getCallee()) : nullptr;
    if (callee && count <= maxOps)
      count += countOps(callee, symbols, counts);
  });
  counts[func] = count;
  return count;
}

/// Refuses kernels whose helpers, called again and again, make them too large.
static bool checkSize(mlir::func::FuncOp entry, Reporter &reporter) {
  mlir::SymbolTable symbols(entry->getParentOp());
  llvm::DenseMap<mlir::Operation *, uint64_t> counts;
  if (countOps(entry, symbols, counts) <= maxOps)
    return true;
  reporter.error(entry.getLoc(),
                 "'" + entry.getSymName() + "' has more than " +
                     llvm::Twine(maxOps) +
                     " operations with its helpers in place and its loops "
                     "unrolled; call helpers in a loop, or unroll less");
  return false;
}

/// Says on the entry what it was specialised on, and what it returns.
void ModuleGenerator::markEntry(mlir::func::FuncOp func,
                                const std::vector<DeclaredParameter> &params) {
  mlir::OpBuilder builder(context);
  for (auto [position, parameter] : llvm::enumerate(params)) {
    auto tensor =
        llvm::dyn_cast<pl::TensorViewType>(func.getArgumentTypes()[position]);
    if (!tensor || parameter.dims)
      continue;
    llvm::SmallVector<int64_t> axes;
    for (auto [axis, dim] : llvm::enumerate(pl::getDims(tensor))) {
      std::pair<size_t, size_t> key(position, axis);
      bool isSplit = llvm::any_of(cascaded, [&](const AxisSymbol &entry) {
        return std::pair<size_t, size_t>(entry.parameter, entry.axis) == key &&
               !entry.mayBeOne;
      });
      if (!dim.isExact() && (splitsOnes || isSplit))
        axes.push_back(axis);
    }
    if (!axes.empty())
      func.setArgAttr(position, pl::notOneAttrName,
                      builder.getDenseI64ArrayAttr(axes));
  }
  std::map<unsigned, std::string> reasons;
  for (const Fixed &one : fixed) {
    std::string &reason = reasons[one.parameter];
    if (one.axis)
      reason += (reason.empty() ? "" : "\n") + std::string("axis ") +
                std::to_string(*one.axis) + ": ";
    reason += one.reason;
    if (!one.axis)
      func.setArgAttr(one.parameter, pl::constantAttrName,
                      builder.getI64IntegerAttr(one.bits));
  }
  for (const auto &[parameter, reason] : reasons)
    func.setArgAttr(parameter, pl::reasonAttrName,
                    builder.getStringAttr(reason));
  if (returned && !returned->empty())
    func->setAttr(pl::resultsAttrName, builder.getDenseI64ArrayAttr(*returned));
}

/// Types settle after a few rounds: each makes the types of what goes around
/// some loop say less.
static constexpr unsigned maxRounds = 100;

/// Generates a function again and again until the types of what goes around its
/// loops are right.
bool ModuleGenerator::generateBody(const KernelFunction &function,
                                   const std::vector<DeclaredParameter> &params,
                                   const DeclaredSymbols &symbols,
                                   mlir::func::FuncOp func,
                                   llvm::ArrayRef<Object> arguments,
                                   FunctionInstance &instance,
                                   const EqualAxes &equal,
                                   const GridPosition &grid) {
  LoopTypeTable loopTypes;
  unsigned numArguments = func.getNumArguments();
  for (unsigned round = 0; round < maxRounds; ++round) {
    loopTypes.startRound();
    reporter.beginAttempt();
    std::vector<std::string> outer = std::move(failedInstances);
    failedInstances.clear();
    bool isRight =
        FunctionGenerator(*this, function, params, symbols, loopTypes, func)
            .generate(arguments, instance, equal, grid);
    reporter.endAttempt(/*isForgotten=*/loopTypes.hasChanged());
    // What is wrong with them has been forgotten too.
    if (loopTypes.hasChanged())
      for (const std::string &key : failedInstances)
        instances.erase(key);
    else
      llvm::append_range(outer, failedInstances);
    failedInstances = std::move(outer);
    if (!loopTypes.hasChanged())
      return isRight;
    instance = FunctionInstance();
    func.getBody().front().clear();
    // Outputs for what it returns are added again.
    while (func.getNumArguments() > numArguments)
      (void)func.eraseArgument(func.getNumArguments() - 1);
  }
  reporter.error(function.getLoc(),
                 "the types of what goes around the loops of "
                 "'" +
                     function.getName() + "' change in every iteration");
  return false;
}

bool ModuleGenerator::generateEntry(const KernelFunction &function,
                                    llvm::ArrayRef<ArgumentSpec> specs) {
  const std::vector<DeclaredParameter> *params = parametersOf(function);
  if (!params)
    return false;
  unsigned numErrors = reporter.getNumErrors();
  if (!specs.empty() && specs.size() != params->size()) {
    reporter.error(function.getLoc(), "'" + function.getName() + "' takes " +
                                          llvm::Twine(params->size()) +
                                          " arguments, got " +
                                          llvm::Twine(specs.size()));
    return false;
  }
  DeclaredSymbols symbols = collectSymbols(function, *params, reporter);
  for (const AxisSymbol &entry : cascaded)
    if (!symbols.find(entry.parameter, entry.axis))
      symbols.axes.push_back(entry);
  llvm::SmallVector<llvm::SmallVector<mlir::Type>> types;
  for (auto [position, parameter] : llvm::enumerate(*params))
    types.push_back({entryType(parameter, position, symbols, specs)});
  if (reporter.getNumErrors() != numErrors)
    return false;
  mlir::func::FuncOp func =
      createFunction(function, function.getName(), *params, types);
  std::vector<Object> arguments;
  for (mlir::BlockArgument argument : func.getArguments())
    arguments.push_back(Object(argument));
  for (const Fixed &one : fixed)
    if (!one.axis)
      arguments[one.parameter] = one.value;
  stack.push_back(&function);
  FunctionInstance instance;
  bool isRight =
      generateBody(function, *params, symbols, func, arguments, instance);
  stack.pop_back();
  entryGroups = std::move(instance.groups);
  if (isRight) {
    for (auto [position, parameter] : llvm::enumerate(*params))
      if (instance.isWritten[position] && !parameter.isWritten())
        func.setArgAttr(position, pl::directionAttrName,
                        pl::DirectionAttr::get(context, pl::Direction::InOut));
    markEntry(func, *params);
  }
  return isRight && checkSize(func, reporter);
}

/// Adds the types of the run-time values in an argument, in order.
static void addTypes(const Object &object,
                     llvm::SmallVector<mlir::Type> &types) {
  if (mlir::Value value = object.asValue())
    types.push_back(value.getType());
  if (const auto *tuple = object.asTuple())
    for (const Object &element : *tuple)
      addTypes(element, types);
}

/// The same object with its run-time values replaced, in order.
static Object replaceValues(const Object &object, mlir::ValueRange values,
                            unsigned &next) {
  if (object.asValue())
    return Object(values[next++]);
  const auto *tuple = object.asTuple();
  if (!tuple)
    return object;
  std::vector<Object> elements;
  for (const Object &element : *tuple)
    elements.push_back(replaceValues(element, values, next));
  return Object::tuple(std::move(elements));
}

/// Each call of a helper in a helper takes some of the stack.
static constexpr unsigned maxCallDepth = 100;

bool ModuleGenerator::checkRecursion(const KernelFunction &function,
                                     Location call) {
  auto first = llvm::find(stack, &function);
  if (first == stack.end() && stack.size() <= maxCallDepth)
    return true;
  if (first == stack.end()) {
    reporter.error(call, "calls are nested too deeply (limit " +
                             llvm::Twine(maxCallDepth) + ")");
    return false;
  }
  std::string cycle;
  for (auto it = first; it != stack.end(); ++it)
    cycle += ((*it)->getName() + " -> ").str();
  reporter.error(call, "'" + function.getName() + "' calls itself: " + cycle +
                           function.getName() +
                           "; kernels have no recursion, use a loop");
  return false;
}

std::string ModuleGenerator::nameFor(const KernelFunction &function) {
  std::string name = function.getName().str();
  unsigned count = names.lookup(name);
  while (names.contains(name))
    name = (function.getName() + "_" + llvm::Twine(++count)).str();
  names[function.getName()] = count;
  return name;
}

/// A function that does not ask where it runs does not need to be told.
static void dropUnusedPosition(mlir::func::FuncOp func, GridPosition &position,
                               FunctionInstance &instance) {
  static constexpr llvm::StringRef names[] = {"block_idx", "block_num",
                                              "subblock_idx"};
  for (unsigned i = std::size(names); i-- > 0;) {
    auto argument = llvm::dyn_cast_or_null<mlir::BlockArgument>(
        position.parts()[i]->asValue());
    if (!argument)
      continue;
    instance.takesPosition[i] = !argument.use_empty();
    if (instance.takesPosition[i])
      func.setArgAttr(argument.getArgNumber(), pl::nameAttrName,
                      mlir::StringAttr::get(func.getContext(), names[i]));
    else
      (void)func.eraseArgument(argument.getArgNumber());
  }
}

const FunctionInstance *ModuleGenerator::instantiate(
    const KernelFunction &function, llvm::ArrayRef<Object> arguments,
    const EqualAxes &equal, const GridPosition &grid, Location call) {
  const std::vector<DeclaredParameter> *params = parametersOf(function);
  if (!params || !checkRecursion(function, call))
    return nullptr;
  std::string key;
  llvm::raw_string_ostream os(key);
  os << static_cast<const void *>(&function) << ":";
  for (const Object &argument : arguments)
    printInstanceKey(argument, os);
  llvm::interleaveComma(equal, os);
  for (const Object *part : grid.parts())
    printInstanceKey(*part, os);
  auto found = instances.find(key);
  if (found != instances.end())
    return found->second.func || isProbe ? &found->second : nullptr;
  llvm::SmallVector<llvm::SmallVector<mlir::Type>> types;
  for (const Object &argument : arguments)
    addTypes(argument, types.emplace_back());
  for (const Object *part : grid.parts())
    addTypes(*part, types.emplace_back());
  mlir::func::FuncOp func =
      createFunction(function, nameFor(function), *params, types);
  func.setPrivate();
  std::vector<Object> inside(arguments.begin(), arguments.end());
  unsigned next = 0;
  for (Object &argument : inside)
    argument = replaceValues(argument, func.getArguments(), next);
  GridPosition position = grid;
  for (Object *part : position.parts())
    if (part->asValue())
      *part = Object(func.getArgument(next++));
  stack.push_back(&function);
  reporter.calls.push_back(
      {call, ("in this call of '" + function.getName() + "'").str()});
  FunctionInstance instance;
  instance.arguments = arguments.vec();
  DeclaredSymbols symbols = collectSymbols(function, *params, reporter);
  bool isRight = generateBody(function, *params, symbols, func, inside,
                              instance, equal, position);
  reporter.calls.pop_back();
  stack.pop_back();
  if (isRight) {
    instance.func = func;
    dropUnusedPosition(func, position, instance);
  }
  if (!isRight)
    failedInstances.push_back(key);
  FunctionInstance &stored = instances[key] = instance;
  return isRight || isProbe ? &stored : nullptr;
}

static void eraseUnusedArithmetic(mlir::Region &region) {
  for (mlir::Block &block : region)
    for (mlir::Operation &op :
         llvm::make_early_inc_range(llvm::reverse(block))) {
      for (mlir::Region &inner : op.getRegions())
        eraseUnusedArithmetic(inner);
      bool isArithmetic =
          llvm::isa<mlir::arith::ArithDialect>(op.getDialect()) ||
          llvm::isa<pl::DimOp>(op);
      if (isArithmetic && op.use_empty())
        op.erase();
    }
}

void ModuleGenerator::eraseUnused() {
  eraseUnusedArithmetic(module.getBodyRegion());
  llvm::StringMap<mlir::func::FuncOp> functions;
  std::vector<mlir::func::FuncOp> reached;
  for (auto func : module.getOps<mlir::func::FuncOp>()) {
    functions[func.getName()] = func;
    if (!func.isPrivate())
      reached.push_back(func);
  }
  llvm::StringSet<> called;
  while (!reached.empty()) {
    mlir::func::FuncOp func = reached.back();
    reached.pop_back();
    func.walk([&](mlir::func::CallOp call) {
      if (called.insert(call.getCallee()).second)
        reached.push_back(functions.lookup(call.getCallee()));
    });
  }
  for (auto func :
       llvm::make_early_inc_range(module.getOps<mlir::func::FuncOp>()))
    if (func.isPrivate() && !called.contains(func.getName()))
      func.erase();
}
