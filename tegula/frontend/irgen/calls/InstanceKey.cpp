// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/calls/InstanceKey.h"
#include "tegula/frontend/constants/ExtentExpression.h"
#include "llvm/Support/Format.h"

using namespace tegula;

static void printSymbol(const Symbol *symbol, int64_t number,
                        llvm::raw_ostream &os) {
  if (!symbol) {
    os << number;
    return;
  }
  if (!symbol->expression) {
    os << "symbol " << static_cast<const void *>(symbol);
    return;
  }
  // Each time an expression is evaluated it is another object.
  const ExtentExpression &expression = *symbol->expression;
  os << static_cast<int>(expression.op) << "(";
  printSymbol(expression.lhs.symbol.get(), expression.lhs.number, os);
  os << ",";
  printSymbol(expression.rhs.symbol.get(), expression.rhs.number, os);
  os << ")";
}

bool tegula::hasValueInDict(const Object &object) {
  if (const auto *tuple = object.asTuple())
    return llvm::any_of(*tuple, hasValueInDict);
  const auto *dict = object.as<DictObject>();
  return dict && llvm::any_of(*dict->entries, [](const auto &entry) {
           return containsValue(entry.second) || hasValueInDict(entry.second);
         });
}

void tegula::printInstanceKey(const Object &object, llvm::raw_ostream &os) {
  if (mlir::Value value = object.asValue()) {
    os << "value " << value.getType();
  } else if (const auto *real = object.as<FloatObject>()) {
    os << "float "
       << llvm::format_hex(llvm::bit_cast<uint64_t>(real->value), 1);
  } else if (const auto *string = object.as<StringObject>()) {
    // Its length says where it ends, whatever is in it.
    os << "string " << string->value.size() << ":" << string->value;
  } else if (const auto *tuple = object.asTuple()) {
    os << "(";
    for (const Object &element : *tuple)
      printInstanceKey(element, os);
    os << ")";
  } else if (const auto *dict = object.as<DictObject>()) {
    os << "{";
    for (const auto &[key, value] : *dict->entries) {
      printInstanceKey(key, os);
      printInstanceKey(value, os);
    }
    os << "}";
  } else if (const auto *symbol = object.as<SymbolObject>()) {
    printSymbol(symbol->symbol.get(), 0, os);
  } else if (const auto *space = object.as<NamespaceObject>()) {
    os << "names " << static_cast<const void *>(space->names.get());
  } else if (const auto *function = object.as<FunctionObject>()) {
    os << "function " << static_cast<const void *>(function->function);
  } else if (const auto *unusable = object.as<UnusableObject>()) {
    os << "unusable " << unusable->message.size() << ":" << unusable->message;
  } else {
    os << describe(object);
  }
  os << ";";
}
