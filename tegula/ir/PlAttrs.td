// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_ATTRS
#define TEGULA_IR_PL_ATTRS

include "mlir/IR/EnumAttr.td"
include "tegula/ir/PlDialect.td"

class Pl_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tegula::pl";
  let genSpecializedAttr = 0;
}

def Pl_FunctionKind : Pl_Enum<"FunctionKind", "what a function is to the program", [
  I32EnumAttrCase<"Entry", 0, "entry">,
  I32EnumAttrCase<"InCore", 1, "incore">,
  I32EnumAttrCase<"Inline", 2, "inline">,
  I32EnumAttrCase<"Opaque", 3, "opaque">,
  I32EnumAttrCase<"Host", 4, "host">
]>;
def Pl_FunctionKindAttr : EnumAttr<Pl_Dialect, Pl_FunctionKind, "kind"> {
  let assemblyFormat = "`<` $value `>`";
}

def Pl_Direction : Pl_Enum<"Direction", "how a function uses an argument", [
  I32EnumAttrCase<"In", 0, "in">,
  I32EnumAttrCase<"Out", 1, "out">,
  I32EnumAttrCase<"InOut", 2, "inout">
]>;
def Pl_DirectionAttr : EnumAttr<Pl_Dialect, Pl_Direction, "dir"> {
  let assemblyFormat = "`<` $value `>`";
}

def Pl_Comparison : Pl_Enum<"Comparison", "a comparison", [
  I32EnumAttrCase<"Eq", 0, "eq">, I32EnumAttrCase<"Ne", 1, "ne">,
  I32EnumAttrCase<"Lt", 2, "lt">, I32EnumAttrCase<"Le", 3, "le">,
  I32EnumAttrCase<"Gt", 4, "gt">, I32EnumAttrCase<"Ge", 5, "ge">
]>;
def Pl_ComparisonAttr : EnumAttr<Pl_Dialect, Pl_Comparison, "comparison">;

def Pl_Reduction : Pl_Enum<"Reduction", "how a reduction combines elements", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Prod", 1, "prod">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">
]>;
def Pl_ReductionAttr : EnumAttr<Pl_Dialect, Pl_Reduction, "reduction">;

// The numbers are the ones of the language: pl.cast(x, dtype, mode=2).
def Pl_Rounding : Pl_Enum<"Rounding", "how a cast rounds", [
  I32EnumAttrCase<"None", 0, "none">,   // the natural one of the pair of types
  I32EnumAttrCase<"Rint", 1, "rint">,   // to nearest, ties to even
  I32EnumAttrCase<"Round", 2, "round">, // to nearest, ties away from zero
  I32EnumAttrCase<"Floor", 3, "floor">,
  I32EnumAttrCase<"Ceil", 4, "ceil">,
  I32EnumAttrCase<"Trunc", 5, "trunc">,
  I32EnumAttrCase<"Odd", 6, "odd">      // to odd, float to narrower float
]>;
def Pl_RoundingAttr : EnumAttr<Pl_Dialect, Pl_Rounding, "rounding">;

#endif // TEGULA_IR_PL_ATTRS
