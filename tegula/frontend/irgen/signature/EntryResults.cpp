// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/signature/EntryResults.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/emit/Requirements.h"
#include "tegula/ir/extents/IndexExpression.h"

using namespace tegula;
using mlir::BlockArgument;
using mlir::Location;
using mlir::Value;

std::optional<int64_t> EntryResults::findWritten(const Object &value) const {
  BlockArgument argument = asParameter(value.asTensor());
  if (!argument || argument.getArgNumber() >= state.parameters.size())
    return std::nullopt;
  const DeclaredParameter &parameter =
      state.parameters[argument.getArgNumber()];
  if (!parameter.isWritten() && !emitter.uses.isWritten(argument))
    return std::nullopt;
  return argument.getArgNumber();
}

void EntryResults::give(const Object &returned, Location loc) {
  std::vector<Object> values =
      returned.asTuple() ? *returned.asTuple() : std::vector<Object>{returned};
  unsigned count = llvm::count_if(
      values, [&](const Object &value) { return !findWritten(value); });
  unsigned position = 0;
  std::vector<int64_t> numbers;
  for (const Object &value : values) {
    std::optional<int64_t> number = findWritten(value);
    if (!number)
      number = giveOne(value, nameOf(position++, count), loc);
    if (!number)
      return;
    numbers.push_back(*number);
  }
  state.module.addReturned(numbers);
  // Not before, because others may be equally long.
  for (const auto &[created, output] : given)
    created.getDefiningOp()->erase();
}

/// `result`, or `result0` and so on, unless a parameter is called that.
std::string EntryResults::nameOf(unsigned position, unsigned count) const {
  std::string name = "result";
  if (count > 1)
    name += std::to_string(position);
  while (llvm::any_of(state.parameters, [&](const DeclaredParameter &other) {
    return other.name == name;
  }))
    name += "_";
  return name;
}

/// A number that is counted with leaves the kernel as INT64.
Object EntryResults::toElement(const Object &number, Location loc) {
  Object scalar = emitter.scalars.materialize(loc, number);
  Value value = scalar.asScalar();
  if (!value || !value.getType().isIndex())
    return scalar;
  return Object(emitter.scalars.convert(
      loc, value, toType(emitter.getContext(), DType::Int64)));
}

std::optional<int64_t>
EntryResults::giveOne(Object value, const std::string &name, Location loc) {
  if (value.isNumeric() || value.asScalar())
    value = toElement(value, loc);
  if (Value output = given.lookup(value.asValue()))
    value = Object(output);
  Value source = value.asValue();
  if (!source) {
    if (!value.isPoison())
      fail(loc, "a kernel returns tensors, tiles and numbers, or one tuple of "
                "them, got " +
                    describe(value));
    return std::nullopt;
  }
  pl::Dims dims;
  bool isScalar = value.asScalar() != nullptr;
  if (!isScalar)
    for (pl::Dim dim : pl::getDims(source.getType()))
      dims.push_back(dim.isExact() ? dim : pl::Dim::any());
  mlir::Type element = pl::getElementOrSelf(source.getType());
  BlockArgument output = addOutput(
      pl::TensorViewType::get(emitter.getContext(), dims, element), name, loc);
  for (auto [axis, dim] : llvm::enumerate(dims))
    if (!dim.isExact() &&
        !bindAxis(output, axis, emitter.extents.settled(loc, source, axis),
                  loc))
      return std::nullopt;
  if (becomesOutput(source, output))
    return output.getArgNumber();
  if (isScalar)
    emitter.memory.write(loc, value, output, {});
  else
    emitter.memory.store(loc, value, output);
  return output.getArgNumber();
}

/// A tensor that the entry makes is the output itself.
bool EntryResults::becomesOutput(Value source, BlockArgument output) {
  auto created = source.getDefiningOp<pl::CreateTensorOp>();
  if (!created || created->getBlock() != output.getOwner() ||
      source.getType() != output.getType())
    return false;
  source.replaceAllUsesWith(output);
  given[source] = output;
  return true;
}

BlockArgument EntryResults::addOutput(mlir::Type type, llvm::StringRef name,
                                      Location loc) {
  mlir::func::FuncOp func = state.func;
  unsigned number = func.getNumArguments();
  mlir::OpBuilder &builder = emitter.builder;
  auto attributes = builder.getDictionaryAttr(
      {builder.getNamedAttr(pl::nameAttrName, builder.getStringAttr(name)),
       builder.getNamedAttr(
           pl::directionAttrName,
           pl::DirectionAttr::get(builder.getContext(), pl::Direction::Out))});
  (void)func.insertArgument(number, type, attributes, loc);
  return func.getArgument(number);
}

/// The binding of `extent`, or of an extent of that name.
static pl::BindOp findBinding(mlir::Block &block, Value extent,
                              llvm::StringRef name) {
  for (auto bind : block.getOps<pl::BindOp>())
    if (bind.getExtent() == extent || bind.getSymbol() == name)
      return bind;
  return {};
}

/// True if an extent follows from the sizes and numbers of a call.
static bool followsFromCall(Value extent) {
  std::optional<ExtentProgram> program = pl::programOf(extent);
  return program && program->fits();
}

/// Binds an axis of an output to the symbol that it is as long as; if it is an
/// expression, the call checks what it is given.
bool EntryResults::bindAxis(BlockArgument output, unsigned axis, Value extent,
                            Location loc) {
  std::string text = pl::formatIndex(extent);
  if (text.empty() || !followsFromCall(extent)) {
    fail(loc, "axis " + llvm::Twine(axis) +
                  " of the result is not an expression of the sizes and "
                  "numbers of the call; write it to a pl.Out parameter "
                  "instead");
    return false;
  }
  mlir::Block &block = state.func.getBody().front();
  pl::BindOp bind = findBinding(block, extent, text);
  if (bind) {
    llvm::SmallVector<int64_t> axes(bind.getAxes());
    axes.push_back(axis);
    bind.getTensorsMutable().append(output);
    bind.setAxes(axes);
    return true;
  }
  mlir::OpBuilder start = mlir::OpBuilder::atBlockBegin(&block);
  bind = pl::BindOp::create(start, loc, text, mlir::ValueRange(output),
                            static_cast<int64_t>(axis));
  Value condition = emitter.builder.createOrFold<mlir::arith::CmpIOp>(
      loc, mlir::arith::CmpIPredicate::eq, bind.getExtent(), extent);
  std::string name = state.func
                         .getArgAttrOfType<mlir::StringAttr>(
                             output.getArgNumber(), pl::nameAttrName)
                         .str();
  Requirement requirement{condition,
                          "axis " + std::to_string(axis) + " of '" + name +
                              "' == " + text,
                          pl::declaredOrigin};
  requirement.argument = output.getArgNumber();
  requirement.axis = axis;
  requirement.sizes = {{text, extent}};
  return require(emitter, loc, std::move(requirement));
}
