// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/statements/Assignments.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tegula/frontend/emit/TensorRoots.h"
#include "tegula/frontend/irgen/NameListener.h"
#include "tegula/frontend/irgen/expressions/Expressions.h"
#include "tegula/frontend/irgen/expressions/Subscripts.h"
#include "tegula/frontend/irgen/signature/WrittenParameters.h"
#include "tegula/ir/ValueNames.h"
#include "tegula/ir/ops/attributes/IndexLocations.h"

using namespace tegula;
using llvm::StringRef;
using mlir::Location;
using mlir::Value;

void Assignments::assign(const ast::Expr &target, const Object &value) {
  Location loc = locate(target);
  if (const auto *name = std::get_if<ast::Name>(&target.node))
    assignName(name->id, loc, value);
  else if (const auto *tuple = std::get_if<ast::Tuple>(&target.node))
    unpack(tuple->elements, loc, value);
  else if (const auto *list = std::get_if<ast::List>(&target.node))
    unpack(list->elements, loc, value);
  else if (const auto *subscript = std::get_if<ast::Subscript>(&target.node))
    assignSubscript(target, *subscript, value);
  else if (std::optional<ast::Unsupported> unsupported = ast::leftOut(target))
    fail(loc, unsupported->message());
  else
    fail(loc, "an attribute cannot be assigned in a kernel");
}

void Assignments::assignName(StringRef name, Location loc,
                             const Object &value) {
  if (Value named = value.asValue(); named && !state.preludeCall)
    nameValue(named, name);
  if (NameListener *listener = emitter.reporter.listener;
      listener && !state.preludeCall)
    listener->hear(loc, name, describeNamed(value), NameUse::Bound);
  auto found = scope.find(name);
  if (found == scope.end()) {
    scope.insert({name, Variable{value, loc}});
    return;
  }
  Object &old = found->second.object;
  if (isSame(old, value) && !value.isPoison())
    return;
  Value tensor = old.asTensor();
  const DeclaredParameter *parameter =
      tensor ? emitter.uses.declarationOf(tensor) : nullptr;
  if (parameter && parameter->isWritten() && parameter->name == name) {
    // What is computed for an output that holds nothing can only be meant for
    // it.
    if (value.asTile() && parameter->direction == pl::Direction::Out &&
        asParameter(tensor) && !emitter.uses.isWritten(rootOf(tensor)) &&
        state.loops.empty())
      emitter.memory.store(loc, value, tensor);
    else if (!value.isPoison())
      fail(loc, "'" + name +
                    " = ...' gives the name another meaning and "
                    "writes nothing; write " +
                    name + "[:] = ...");
    return;
  }
  const auto *oldSymbol = old.as<SymbolObject>();
  const auto *newSymbol = value.as<SymbolObject>();
  if (oldSymbol && newSymbol &&
      oldSymbol->symbol->name != newSymbol->symbol->name)
    fail(loc,
         "'" + name + "' is the symbol " + oldSymbol->symbol->name +
             " and cannot become the symbol " + newSymbol->symbol->name,
         {{oldSymbol->symbol->declared, "declared here"}});
  found->second = Variable{value, loc};
}

/// `y, z, task = pl.submit(...)`: the results and the task in one row, where
/// they are ((y, z), task); nothing for anything else.
static std::optional<std::vector<Object>>
flattenTask(const std::vector<Object> *elements, size_t wanted) {
  bool isTask =
      elements && elements->size() == 2 && elements->back().is<TaskObject>();
  const std::vector<Object> *results =
      isTask ? elements->front().asTuple() : nullptr;
  if (!results || results->size() + 1 != wanted || wanted == 2)
    return std::nullopt;
  std::vector<Object> row = *results;
  row.push_back(elements->back());
  return row;
}

void Assignments::unpack(const std::vector<ast::ExprPtr> &targets, Location loc,
                         const Object &value) {
  const std::vector<Object> *elements = value.asTuple();
  std::optional<std::vector<Object>> row =
      flattenTask(elements, targets.size());
  if (row)
    elements = &*row;
  if (!elements && !value.isPoison())
    fail(loc, "cannot unpack " + describe(value));
  else if (elements && elements->size() != targets.size())
    fail(loc, "cannot unpack " + llvm::Twine(elements->size()) +
                  " values into " + llvm::Twine(targets.size()) + " names");
  bool fits = elements && elements->size() == targets.size();
  for (auto [position, target] : llvm::enumerate(targets))
    assign(*target, fits ? (*elements)[position] : Object::poison());
}

/// The tensor whose elements a tile shows in another shape or order; null if it
/// shows none.
static Value tensorBehind(Value tile) {
  mlir::Operation *op = tile.getDefiningOp();
  if (!op || !mlir::isa<pl::ReshapeOp, pl::TransposeOp>(op))
    return {};
  while (op && mlir::isa<pl::ReshapeOp, pl::TransposeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  auto load = mlir::dyn_cast_or_null<pl::LoadOp>(op);
  return load ? load.getSource() : Value();
}

void Assignments::assignSubscript(const ast::Expr &target,
                                  const ast::Subscript &node,
                                  const Object &value) {
  Location loc = locate(target);
  Object object = expressions.evaluate(*node.value);
  if (object.isPoison())
    return;
  if (const auto *tasks = object.as<TaskObject>()) {
    if (tasks->count && subscripts.readTaskIndex(node, *tasks->count, loc) &&
        !value.isPoison() && !value.is<TaskObject>() && !value.is<NoneObject>())
      fail(loc, "an array of tasks holds tasks, got " + describe(value));
    if (tasks->count)
      return;
  }
  Value shaped = object.asTensor() ? object.asTensor() : object.asTile();
  if (!shaped) {
    fail(loc, "parts of " + describe(object) + " cannot be assigned");
    return;
  }
  Window window;
  if (!subscripts.readWindow(node, shaped, loc, window) || value.isPoison())
    return;
  if (!window.added.empty()) {
    fail(loc,
         "None adds an axis to what is read; what is assigned has the axes "
         "it has");
    return;
  }
  size_t rank = pl::getDims(shaped.getType()).size();
  // A tensor without axes is an element and a whole.
  bool isElement = window.drop.size() == rank && (rank != 0 || !value.asTile());
  Location indexLoc = pl::withIndexLocations(loc, window.locations);
  if (object.asTensor()) {
    if (isElement)
      emitter.memory.write(indexLoc, value, shaped, window.offsets);
    else
      emitter.memory.store(
          loc, value,
          window.isWhole
              ? shaped
              : emitter.memory.window(indexLoc, shaped, window.offsets,
                                      window.sizes, window.drop));
    return;
  }
  const auto *name = std::get_if<ast::Name>(&node.value->node);
  if (!name) {
    fail(loc, "a part of a tile is assigned through the name of the tile");
    return;
  }
  if (Value tensor = tensorBehind(shaped);
      tensor && !emitter.uses.isReadOnly(tensor)) {
    fail(loc, "'" + name->id +
                  "' holds a tensor's elements in another shape, and "
                  "assigning a part of it would not change the tensor; assign "
                  "to the tensor itself");
    return;
  }
  Object result = emitter.memory.insert(indexLoc, value, shaped, window.offsets,
                                        window.sizes, window.drop);
  assignName(name->id, loc, result);
}

/// True if `tensor += e` changes it, as in NumPy: it is, or may be, a part of a
/// tensor that the kernel makes, or of a parameter that the declaration or an
/// assignment says is written. The name of what is only read gets another
/// meaning instead.
static bool isChangedInPlace(const TensorUse &uses,
                             const KernelFunction &function, Value tensor) {
  llvm::SmallVector<Value> roots = rootsOf(tensor);
  // What a function gives back may be a part of what it was given.
  if (auto call = tensor.getDefiningOp<mlir::func::CallOp>())
    for (Value operand : call.getOperands())
      if (llvm::isa<pl::TensorViewType>(operand.getType()))
        llvm::append_range(roots, rootsOf(operand));
  return llvm::any_of(roots, [&](Value root) {
    const DeclaredParameter *parameter = uses.declarationOf(root);
    if (!parameter || parameter->isWritten())
      return true;
    return !uses.isReadOnly(root) &&
           writtenParameters(function).contains(parameter->name);
  });
}

void Assignments::emitAugmented(const ast::AugAssign &node) {
  Location loc = locate(node.opLoc);
  const ast::Expr &target = *node.target;
  if (const auto *name = std::get_if<ast::Name>(&target.node)) {
    Object old = expressions.evaluate(target);
    Object value = expressions.evaluate(*node.value);
    Value tensor = old.asTensor();
    Object result = emitter.operators.update(loc, node.op, old, value);
    if (tensor && isChangedInPlace(emitter.uses, state.function, tensor))
      emitter.memory.store(loc, result, tensor);
    else
      assignName(name->id, locate(target), result);
    return;
  }
  const auto *subscript = std::get_if<ast::Subscript>(&target.node);
  if (!subscript) {
    fail(locate(target), "an attribute cannot be assigned in a kernel");
    return;
  }
  Object old = subscripts.evaluate(*subscript, locate(target));
  Object value = expressions.evaluate(*node.value);
  assignSubscript(target, *subscript,
                  emitter.operators.binary(loc, node.op, old, value));
}
