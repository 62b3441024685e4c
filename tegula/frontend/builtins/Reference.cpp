// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/builtins/Reference.h"
#include "tegula/frontend/builtins/Builtins.h"

using namespace tegula;
using llvm::StringRef;

namespace {

/// An elementwise op as a function.
struct Elementwise {
  llvm::StringLiteral name;
  llvm::StringLiteral parameters;
  llvm::StringLiteral meaning;
};

} // namespace

static constexpr Elementwise elementwise[] = {
    {"add", "lhs rhs", "the sum, as `+`; integers wrap"},
    {"sub", "lhs rhs", "the difference, as `-`"},
    {"mul", "lhs rhs", "the product, as `*`"},
    {"div", "lhs rhs high_precision?",
     "the quotient, as `/`; of integers, as `//`: rounded down, and 0 where "
     "the "
     "divisor is 0"},
    {"rem", "lhs rhs tmp?",
     "the remainder with the sign of the divisor, as `%`; 0 where an integer "
     "divisor is 0"},
    {"fmod", "lhs rhs",
     "the remainder with the sign of the dividend, as in C; 0 where an integer "
     "divisor is 0"},
    {"pow", "lhs rhs", "floats to the power of floats, as `**`"},
    {"maximum", "lhs rhs", "the larger; NaN if either is NaN"},
    {"minimum", "lhs rhs", "the smaller; NaN if either is NaN"},
    {"and_", "lhs rhs", "the bits set in both, as `&`"},
    {"or_", "lhs rhs", "the bits set in either, as `|`"},
    {"xor", "lhs rhs tmp?", "the bits set in one of the two, as `^`"},
    {"shl", "lhs rhs", "shifted left, as `<<`; 0 from the width on"},
    {"shr", "lhs rhs",
     "shifted right, as `>>`, signed integers with their sign; everything is "
     "shifted out from the width on"},
    {"neg", "x", "negated, as `-x`"},
    {"relu", "x", "the larger of x and 0"},
    {"not_", "x", "all bits flipped, as `~x`; not, for BOOL"},
    {"exp", "x", "e to the power of x"},
    {"log", "x high_precision?", "the natural logarithm"},
    {"sqrt", "x", "the square root"},
    {"rsqrt", "x tmp? high_precision?", "1 over the square root"},
    {"recip", "x high_precision?", "1 over x"},
    {"sin", "x", "the sine of x in radians"},
    {"cos", "x", "the cosine of x in radians"},
    {"tanh", "x", "the hyperbolic tangent"},
    {"erf", "x", "the error function"},
    {"floor", "x", "the largest integer not above x, as a float"},
    {"ceil", "x", "the smallest integer not below x, as a float"},
};

/// "x|src axis1? axis2?" as "x, axis1=, axis2=".
static std::string asCall(StringRef parameters) {
  std::string text;
  for (StringRef parameter : llvm::split(parameters, ' ')) {
    bool isOptional = parameter.consume_back("?");
    text += (text.empty() ? "" : ", ") + parameter.split('|').first.str();
    if (isOptional)
      text += "=";
  }
  return text;
}

std::vector<FunctionEntry> tegula::listFunctions() {
  std::vector<FunctionEntry> entries;
  for (const Elementwise &entry : elementwise)
    entries.push_back(
        {entry.name, asCall(entry.parameters), entry.meaning, "elementwise"});
  for (const BuiltinTable &table : builtinTables())
    for (const Builtin &builtin : table.functions)
      entries.push_back({builtin.name, asCall(builtin.parameters),
                         builtin.meaning, table.theme});
  return entries;
}

std::string tegula::formatFunction(const FunctionEntry &entry) {
  return ("pl." + entry.name + "(" + entry.parameters + "): " + entry.meaning)
      .str();
}
