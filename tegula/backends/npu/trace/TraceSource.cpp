// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/npu/trace/TraceSource.h"

#include "tegula/backends/cpu/object/Jit.h"
#include "tegula/support/Routines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula;

static std::string typeName(Type type) {
  if (type.isIndex())
    return "int64_t";
  if (type.isInteger(1))
    return "bool";
  if (auto integer = dyn_cast<IntegerType>(type))
    return "int" + std::to_string(integer.getWidth()) + "_t";
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  if (isa<LLVM::LLVMVoidType>(type))
    return "void";
  return "void *";
}

/// Symbols may have dots.
static std::string identifier(StringRef name) {
  std::string text = name.str();
  std::replace(text.begin(), text.end(), '.', '_');
  return text;
}

/// How two numbers become one; arithmetic wraps around.
static std::optional<std::string> operatorOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<std::string>>(op)
      .Case([](arith::AddIOp) { return "+"; })
      .Case([](arith::SubIOp) { return "-"; })
      .Case([](arith::MulIOp) { return "*"; })
      .Case([](arith::AndIOp) { return "&"; })
      .Case([](arith::OrIOp) { return "|"; })
      .Case([](arith::XOrIOp) { return "^"; })
      .Case([](arith::DivUIOp) { return "/"; })
      .Case([](arith::RemUIOp) { return "%"; })
      .Default([](Operation *) { return std::nullopt; });
}

static std::optional<std::string> signedOperatorOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<std::string>>(op)
      .Case([](arith::DivSIOp) { return "/"; })
      .Case([](arith::RemSIOp) { return "%"; })
      .Case([](arith::ShRSIOp) { return ">>"; })
      .Default([](Operation *) { return std::nullopt; });
}

static std::string comparison(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return "==";
  case P::ne:
    return "!=";
  case P::slt:
  case P::ult:
    return "<";
  case P::sle:
  case P::ule:
    return "<=";
  case P::sgt:
  case P::ugt:
    return ">";
  case P::sge:
  case P::uge:
    return ">=";
  }
  llvm_unreachable("every predicate is known");
}

namespace {

/// Prints one module.
class SourceWriter {
public:
  explicit SourceWriter(ModuleOp module) : module(module), stream(text) {}

  Expected<std::string> write() {
    stream << "// Tells the operations of a kernel; see tegula/support/"
              "TraceAbi.h.\n#include <stdbool.h>\n#include <stdint.h>\n\n";
    for (auto routine : module.getOps<LLVM::LLVMFuncOp>())
      writePrototype(routine);
    for (auto function : module.getOps<func::FuncOp>())
      stream << head(function) << ";\n";
    for (auto function : module.getOps<func::FuncOp>()) {
      stream << "\n" << head(function) << " {\n";
      writeBlock(function.getBody().front(), 1);
      stream << "}\n";
    }
    if (!unknown.empty())
      return makeError("'{0}' has no form in C", unknown);
    return text;
  }

private:
  std::string name(Value value) {
    auto [entry, isNew] = names.try_emplace(value, "");
    if (isNew)
      entry->second = "v" + std::to_string(names.size());
    return entry->second;
  }

  std::string list(ValueRange values) {
    return llvm::join(
        llvm::map_range(values, [&](Value value) { return name(value); }),
        ", ");
  }

  std::string declare(Value value) {
    std::string type = typeName(value.getType());
    return type + (type.back() == '*' ? "" : " ") + name(value);
  }

  std::string head(func::FuncOp function) {
    auto parameters = llvm::map_range(
        function.getArguments(), [&](Value value) { return declare(value); });
    return (function.isPrivate() ? "static void " : "void ") +
           symbol(function.getName()) + "(" + llvm::join(parameters, ", ") +
           ")";
  }

  /// What a function is called; the kernel as in compiled code.
  std::string symbol(StringRef name) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    bool isKernel = function && !function.isPrivate();
    return (isKernel ? entryPrefix.str() : "") + identifier(name);
  }

  void writePrototype(LLVM::LLVMFuncOp routine) {
    if (routine.use_empty() && routine.getName() != routine::tegulaReportError)
      return;
    auto type = routine.getFunctionType();
    auto types = llvm::map_range(type.getParams(),
                                 [](Type each) { return typeName(each); });
    stream << "extern " << typeName(type.getReturnType()) << " "
           << routine.getName() << "(" << llvm::join(types, ", ") << ");\n";
  }

  raw_ostream &line(unsigned depth) { return stream.indent(2 * depth); }

  void assign(Value to, const std::string &what, unsigned depth) {
    line(depth) << declare(to) << " = " << what << ";\n";
  }

  void writeBlock(Block &block, unsigned depth) {
    for (Operation &op : block)
      writeOp(&op, depth);
  }

  /// Values that change together are read before any is written.
  void assignAll(ValueRange to, ValueRange from, unsigned depth) {
    if (to.size() == 1) {
      line(depth) << name(to[0]) << " = " << name(from[0]) << ";\n";
      return;
    }
    std::vector<std::string> kept;
    for (Value value : from) {
      kept.push_back("k" + std::to_string(numSaved++));
      std::string type = typeName(value.getType());
      line(depth) << type << (type.back() == '*' ? "" : " ") << kept.back()
                  << " = " << name(value) << ";\n";
    }
    for (auto [target, value] : llvm::zip(to, kept))
      line(depth) << name(target) << " = " << value << ";\n";
  }

  void writeFor(scf::ForOp loop, unsigned depth) {
    for (auto [carried, init] :
         llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
      assign(carried, name(init), depth);
    std::string at = name(loop.getInductionVar());
    line(depth) << "for (int64_t " << at << " = " << name(loop.getLowerBound())
                << "; " << at << " < " << name(loop.getUpperBound()) << "; "
                << at << " += " << name(loop.getStep()) << ") {\n";
    for (Operation &op : loop.getBody()->without_terminator())
      writeOp(&op, depth + 1);
    if (!loop.getYieldedValues().empty())
      assignAll(loop.getRegionIterArgs(), loop.getYieldedValues(), depth + 1);
    line(depth) << "}\n";
    for (auto [result, carried] :
         llvm::zip(loop.getResults(), loop.getRegionIterArgs()))
      assign(result, name(carried), depth);
  }

  void writeIf(scf::IfOp branch, unsigned depth) {
    for (Value result : branch.getResults())
      line(depth) << declare(result) << ";\n";
    auto writeSide = [&](Block *block) {
      for (Operation &op : block->without_terminator())
        writeOp(&op, depth + 1);
      if (branch.getNumResults() != 0)
        assignAll(branch.getResults(), block->getTerminator()->getOperands(),
                  depth + 1);
    };
    line(depth) << "if (" << name(branch.getCondition()) << ") {\n";
    writeSide(branch.thenBlock());
    if (branch.elseBlock()) {
      line(depth) << "} else {\n";
      writeSide(branch.elseBlock());
    }
    line(depth) << "}\n";
  }

  void writeWhile(scf::WhileOp loop, unsigned depth) {
    for (auto [carried, init] :
         llvm::zip(loop.getBeforeArguments(), loop.getInits()))
      assign(carried, name(init), depth);
    for (Value handed : loop.getAfterArguments())
      line(depth) << declare(handed) << ";\n";
    line(depth) << "for (;;) {\n";
    for (Operation &op : loop.getBeforeBody()->without_terminator())
      writeOp(&op, depth + 1);
    scf::ConditionOp condition = loop.getConditionOp();
    if (!condition.getArgs().empty())
      assignAll(loop.getAfterArguments(), condition.getArgs(), depth + 1);
    line(depth + 1) << "if (!" << name(condition.getCondition()) << ")\n";
    line(depth + 2) << "break;\n";
    for (Operation &op : loop.getAfterBody()->without_terminator())
      writeOp(&op, depth + 1);
    if (!loop.getYieldOp().getResults().empty())
      assignAll(loop.getBeforeArguments(), loop.getYieldOp().getResults(),
                depth + 1);
    line(depth) << "}\n";
    for (auto [result, handed] :
         llvm::zip(loop.getResults(), loop.getAfterArguments()))
      assign(result, name(handed), depth);
  }

  void writeCall(LLVM::CallOp call, unsigned depth) {
    std::string target;
    ValueRange arguments = call.getOperands();
    if (call.getCallee()) {
      target = call.getCallee()->str();
    } else {
      auto types = llvm::map_range(arguments.drop_front().getTypes(),
                                   [](Type type) { return typeName(type); });
      std::string result =
          call.getNumResults() ? typeName(call.getResult().getType()) : "void";
      target = "((" + result + " (*)(" + llvm::join(types, ", ") + "))" +
               name(arguments.front()) + ")";
      arguments = arguments.drop_front();
    }
    std::string text = target + "(" + list(arguments) + ")";
    if (call.getNumResults())
      assign(call.getResult(), text, depth);
    else
      line(depth) << text << ";\n";
  }

  /// The address that is that many elements further.
  std::string step(LLVM::GEPOp op) {
    unsigned bytes = op.getElemType().getIntOrFloatBitWidth() / 8;
    if (isa<LLVM::LLVMPointerType>(op.getElemType()))
      bytes = sizeof(void *);
    auto index = op.getIndices()[0];
    std::string count;
    if (auto constant = dyn_cast<IntegerAttr>(index))
      count = std::to_string(constant.getInt());
    else
      count = name(cast<Value>(index));
    return "(char *)" + name(op.getBase()) + " + " + count + " * " +
           std::to_string(bytes);
  }

  static std::string number(Attribute value) {
    if (auto integer = dyn_cast<IntegerAttr>(value)) {
      if (integer.getType().isInteger(1))
        return integer.getValue().isZero() ? "false" : "true";
      int64_t number = integer.getInt();
      // The least number is no literal of its own.
      return number == INT64_MIN ? "INT64_MIN"
                                 : "INT64_C(" + std::to_string(number) + ")";
    }
    llvm::SmallString<32> digits;
    cast<FloatAttr>(value).getValue().toString(digits);
    return digits.str().str();
  }

  std::string minimum(Operation *op, const char *sign) {
    std::string lhs = name(op->getOperand(0)), rhs = name(op->getOperand(1));
    return lhs + " " + sign + " " + rhs + " ? " + lhs + " : " + rhs;
  }

  /// The value of an op that has one, as an expression; nothing if it is not
  /// known.
  std::optional<std::string> expression(Operation *op) {
    auto operand = [&](unsigned position) {
      return name(op->getOperand(position));
    };
    std::string type =
        op->getNumResults() ? typeName(op->getResult(0).getType()) : "";
    if (std::optional<std::string> sign = operatorOf(op))
      return "(" + type + ")((uint64_t)" + operand(0) + " " + *sign +
             " (uint64_t)" + operand(1) + ")";
    if (std::optional<std::string> sign = signedOperatorOf(op))
      return operand(0) + " " + *sign + " " + operand(1);
    return llvm::TypeSwitch<Operation *, std::optional<std::string>>(op)
        .Case([&](arith::ConstantOp each) { return number(each.getValue()); })
        .Case([&](arith::MinSIOp) { return minimum(op, "<"); })
        .Case([&](arith::MaxSIOp) { return minimum(op, ">"); })
        .Case([&](arith::CmpIOp each) {
          bool isUnsigned = each.getPredicate() >= arith::CmpIPredicate::ult;
          std::string cast = isUnsigned ? "(uint64_t)" : "";
          return cast + operand(0) + " " + comparison(each.getPredicate()) +
                 " " + cast + operand(1);
        })
        .Case<arith::SelectOp, LLVM::SelectOp>([&](auto) {
          return operand(0) + " ? " + operand(1) + " : " + operand(2);
        })
        .Case<arith::IndexCastOp, arith::TruncIOp, arith::ExtSIOp>(
            [&](auto) { return "(" + type + ")" + operand(0); })
        .Case([&](arith::ExtUIOp each) {
          std::string from = typeName(each.getIn().getType());
          return from == "bool" ? "(" + type + ")" + operand(0)
                                : "(" + type + ")(u" + from + ")" + operand(0);
        })
        .Case([&](LLVM::LoadOp) {
          return "*(" + type + (type.back() == '*' ? "*)" : " *)") + operand(0);
        })
        .Case([&](LLVM::GEPOp each) { return step(each); })
        .Case<LLVM::IntToPtrOp, LLVM::PtrToIntOp>(
            [&](auto) { return "(" + type + ")" + operand(0); })
        .Case([&](LLVM::ZeroOp) { return "(" + type + ")0"; })
        .Case([&](LLVM::ICmpOp each) {
          bool isEqual = each.getPredicate() == LLVM::ICmpPredicate::eq;
          return operand(0) + (isEqual ? " == " : " != ") + operand(1);
        })
        .Case([&](func::ConstantOp each) {
          return "(void *)" + symbol(each.getValue());
        })
        .Case([&](UnrealizedConversionCastOp) { return operand(0); })
        .Default([](Operation *) { return std::nullopt; });
  }

  void writeOp(Operation *op, unsigned depth) {
    if (std::optional<std::string> value = expression(op))
      return assign(op->getResult(0), *value, depth);
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](scf::ForOp loop) { writeFor(loop, depth); })
        .Case([&](scf::IfOp branch) { writeIf(branch, depth); })
        .Case([&](scf::WhileOp loop) { writeWhile(loop, depth); })
        .Case([&](LLVM::CallOp call) { writeCall(call, depth); })
        .Case([&](func::CallOp call) {
          line(depth) << symbol(call.getCallee()) << "("
                      << list(call.getOperands()) << ");\n";
        })
        .Case([&](LLVM::AllocaOp memory) {
          std::string room = name(memory.getRes()) + "_room";
          IntegerAttr count;
          matchPattern(memory.getArraySize(), m_Constant(&count));
          line(depth) << "int64_t " << room << "["
                      << (count ? count.getInt() : 1) << "];\n";
          assign(memory.getRes(), room, depth);
        })
        .Case([&](LLVM::StoreOp store) {
          std::string type = typeName(store.getValue().getType());
          line(depth) << "*(" << type << (type.back() == '*' ? "*)" : " *)")
                      << name(store.getAddr()) << " = "
                      << name(store.getValue()) << ";\n";
        })
        .Case([&](arith::MulSIExtendedOp product) {
          std::string both = name(product.getLhs()) + " * " + "(__int128)" +
                             name(product.getRhs());
          assign(product.getLow(), "(int64_t)(" + both + ")", depth);
          assign(product.getHigh(), "(int64_t)((" + both + ") >> 64)", depth);
        })
        .Case([&](func::ReturnOp) {})
        .Default([&](Operation *other) {
          unknown = other->getName().getStringRef().str();
        });
  }

  ModuleOp module;
  std::string text;
  llvm::raw_string_ostream stream;
  llvm::DenseMap<Value, std::string> names;
  unsigned numSaved = 0;
  std::string unknown;
};

} // namespace

Expected<std::string> tegula::printTraceSource(ModuleOp module) {
  return SourceWriter(module).write();
}
