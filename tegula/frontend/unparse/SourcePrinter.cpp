// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbols, signatures and the order of functions.
#include "tegula/frontend/unparse/SourcePrinter.h"
#include "tegula/frontend/unparse/SourceExtents.h"
#include "tegula/frontend/unparse/SourceStatements.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/attributes/EntryAttributes.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tegula;
using namespace mlir;
using pl::Dim;
using pl::getDims;

namespace {

/// Writes a module: an entry and what it calls.
class ModuleWriter {
public:
  ModuleWriter(ModuleOp module, SourceStyle style, llvm::raw_ostream &os)
      : module(module), style(style), os(os) {}

  LogicalResult write();

private:
  void collect(func::FuncOp function);
  LogicalResult writeSymbols();
  LogicalResult writeFunction(func::FuncOp function);
  std::string parameter(func::FuncOp function, unsigned position);
  std::string shape(func::FuncOp function, BlockArgument argument);

  ModuleOp module;
  SourceStyle style;
  llvm::raw_ostream &os;
  /// What is called stands before what calls it.
  llvm::SetVector<func::FuncOp> functions;
  /// The variable of each symbol, by its name in the program.
  std::map<std::string, std::string> symbols;
  std::set<std::string> reserved;
};

} // namespace

static pl::FunctionKind kindOf(func::FuncOp function) {
  auto kind = function->getAttrOfType<pl::FunctionKindAttr>(pl::kindAttrName);
  return kind ? kind.getValue() : pl::FunctionKind::Inline;
}

static bool isEntry(func::FuncOp function) {
  return kindOf(function) == pl::FunctionKind::Entry ||
         kindOf(function) == pl::FunctionKind::Host;
}

void ModuleWriter::collect(func::FuncOp function) {
  if (functions.contains(function))
    return;
  function.walk([&](func::CallOp call) {
    if (auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee()))
      collect(callee);
  });
  functions.insert(function);
  reserved.insert(function.getSymName().str());
}

static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name[0]) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

LogicalResult ModuleWriter::writeSymbols() {
  for (func::FuncOp function : functions)
    for (auto bind : function.getOps<pl::BindOp>()) {
      std::string symbol = bind.getSymbol().str(), name = symbol;
      if (symbols.count(symbol))
        continue;
      if (!isIdentifier(name))
        return bind.emitError("the extent '")
               << symbol
               << "' has no name of its own and cannot be written as kernel "
                  "source";
      while (reserved.count(name))
        name += "_";
      reserved.insert(name);
      symbols[symbol] = name;
      os << (symbols.size() == 1 ? "\n" : "") << name << " = pl.dynamic(\""
         << symbol << "\")\n";
    }
  return success();
}

std::string ModuleWriter::shape(func::FuncOp function, BlockArgument argument) {
  std::string text;
  for (auto [axis, dim] : llvm::enumerate(getDims(argument.getType()))) {
    text += axis ? ", " : "";
    if (dim.isExact()) {
      text += std::to_string(dim.getBound());
      continue;
    }
    for (auto bind : function.getOps<pl::BindOp>())
      for (auto [tensor, bound] : llvm::zip(bind.getTensors(), bind.getAxes()))
        if (tensor == argument && bound == static_cast<int64_t>(axis))
          text += symbols[bind.getSymbol().str()];
  }
  return "[" + text + "]";
}

std::string ModuleWriter::parameter(func::FuncOp function, unsigned position) {
  BlockArgument argument = function.getArgument(position);
  auto name = function.getArgAttrOfType<StringAttr>(position, pl::nameAttrName);
  auto direction = function.getArgAttrOfType<pl::DirectionAttr>(
      position, pl::directionAttrName);
  std::string text = name ? name.str() : "p" + std::to_string(position);
  Type type = argument.getType();
  std::string element = writeDtype(pl::getElementOrSelf(type));
  std::string annotation;
  if (!isa<pl::TensorViewType, pl::TileType>(type))
    annotation = "pl.Scalar[" + element + "]";
  else if (isEntry(function))
    annotation = (pl::isWindow(argument) ? "pl.distributed.DistributedTensor["
                                         : "pl.Tensor[") +
                 shape(function, argument) + ", " + element + "]";
  // A helper takes the shapes of its calls.
  else if (direction && direction.getValue() != pl::Direction::In)
    annotation = "pl.Tensor";
  if (direction && direction.getValue() != pl::Direction::In)
    annotation =
        (direction.getValue() == pl::Direction::Out ? "pl.Out[" : "pl.InOut[") +
        annotation + "]";
  return annotation.empty() ? text : text + ": " + annotation;
}

static StringRef decoratorOf(pl::FunctionKind kind) {
  switch (kind) {
  case pl::FunctionKind::Entry:
    return "@pl.jit";
  case pl::FunctionKind::InCore:
    return "@pl.jit.incore";
  case pl::FunctionKind::Inline:
    return "@pl.jit.inline";
  case pl::FunctionKind::Opaque:
    return "@pl.jit.opaque";
  case pl::FunctionKind::Host:
    return "@pl.jit.host";
  }
  llvm_unreachable("every kind is handled");
}

/// "(level=pl.Level.AIV)"; only a function in a core has one.
static std::string levelOf(func::FuncOp function) {
  auto level = function->getAttrOfType<pl::LevelAttr>(pl::levelAttrName);
  if (!level || kindOf(function) != pl::FunctionKind::InCore)
    return "";
  return "(level=pl.Level." + pl::stringifyLevel(level.getValue()).upper() +
         ")";
}

LogicalResult ModuleWriter::writeFunction(func::FuncOp function) {
  std::set<std::string> taken = reserved;
  DenseMap<Value, std::string> fixed;
  std::string head = "def " + function.getSymName().str() + "(", parameters;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    std::string text = parameter(function, i);
    std::string name = StringRef(text).split(':').first.str();
    fixed[function.getArgument(i)] = name;
    taken.insert(name);
    parameters += (i ? ", " : "") + text;
  }
  for (auto bind : function.getOps<pl::BindOp>())
    fixed[bind] = symbols[bind.getSymbol().str()];
  SourcePlan plan(function, style);
  if (failed(plan.make(taken)))
    return failure();
  // A long list of parameters stands on lines of its own.
  constexpr size_t maxWidth = 120;
  if (head.size() + parameters.size() + 2 > maxWidth) {
    parameters = "\n";
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      parameters += "    " + parameter(function, i) + ",\n";
  }
  os << "\n\n"
     << decoratorOf(kindOf(function)) << levelOf(function) << "\n"
     << head << parameters << "):\n";
  std::string body;
  llvm::raw_string_ostream stream(body);
  StatementWriter writer(style, plan, fixed, stream);
  if (failed(writer.block(function.front(), 1)))
    return failure();
  os << (body.empty() ? "    pass\n" : body);
  return success();
}

LogicalResult ModuleWriter::write() {
  for (auto function : module.getOps<func::FuncOp>()) {
    // What was dispatched is part of the program by then.
    auto ends = function.getOps<pl::HostEndOp>();
    if (!ends.empty())
      return function.emitError(
          "a host program is printed as it was written, at stage frontend");
    if (isEntry(function))
      collect(function);
  }
  os << "import tegula.language as pl\n";
  if (failed(writeSymbols()))
    return failure();
  for (func::FuncOp function : functions)
    if (failed(writeFunction(function)))
      return failure();
  return success();
}

FailureOr<std::string> tegula::printSource(ModuleOp module, SourceStyle style) {
  OwningOpRef<ModuleOp> copy(module.clone());
  askForExtents(*copy);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (failed(ModuleWriter(*copy, style, stream).write()))
    return failure();
  return text;
}
