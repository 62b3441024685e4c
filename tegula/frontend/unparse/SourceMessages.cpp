// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is printed and asserted while the program runs, as source.
#include "tegula/frontend/unparse/SourceExpressions.h"
#include "tegula/ir/ops/PlRequireOps.h"

using namespace tegula;
using namespace mlir;

/// A text between quotes, as Python reads it.
static std::string quoted(StringRef text) {
  std::string written = "\"";
  for (char c : text) {
    if (c == '\n') {
      written += "\\n";
      continue;
    }
    if (c == '"' || c == '\\')
      written += '\\';
    written += c;
  }
  return written + "\"";
}

std::optional<std::string> ExpressionWriter::message(Operation *op) {
  if (auto assertion = dyn_cast<pl::AssertOp>(op)) {
    std::string text = "pl.assert_(" + write(assertion.getCondition(),
                                             Wanted::Value, Strength::Any);
    if (!assertion.getText().empty())
      text += ", " + quoted(assertion.getText());
    return text + ")";
  }
  auto print = dyn_cast<pl::PrintOp>(op);
  if (!print)
    return std::nullopt;
  StringRef format = print.getFormat();
  std::string text;
  ValueRange values = print.getValues();
  for (size_t i = 0; i < format.size(); ++i) {
    StringRef pair = format.substr(i, 2);
    bool isBrace = format[i] == '{' || format[i] == '}';
    if (pair == "{}") {
      text += "{" + write(values.front(), Wanted::Value, Strength::Any) + "}";
      values = values.drop_front();
    } else {
      text += isBrace ? pair : pair.take_front();
    }
    i += isBrace;
  }
  return "pl.print(f" + quoted(text) + ")";
}
