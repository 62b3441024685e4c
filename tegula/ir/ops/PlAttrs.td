// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_ATTRS
#define TEGULA_IR_PL_ATTRS

include "mlir/IR/EnumAttr.td"
include "tegula/ir/ops/PlDialect.td"

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

// From a core outwards. A target takes those it has and ignores the rest.
def Pl_Level : Pl_Enum<"Level", "a level of the machine", [
  I32EnumAttrCase<"Vector", 0, "aiv">,
  I32EnumAttrCase<"Cube", 1, "aic">,
  I32EnumAttrCase<"CoreGroup", 2, "core_group">,
  I32EnumAttrCase<"ChipDie", 3, "chip_die">,
  I32EnumAttrCase<"Cache", 4, "l2cache">,
  I32EnumAttrCase<"Chip", 5, "chip">,
  I32EnumAttrCase<"Processor", 6, "processor">,
  I32EnumAttrCase<"Uma", 7, "uma">,
  I32EnumAttrCase<"Host", 8, "host">,
  I32EnumAttrCase<"Node", 9, "node">,
  I32EnumAttrCase<"Pod", 10, "pod">,
  I32EnumAttrCase<"Cluster0", 11, "cluster_0">,
  I32EnumAttrCase<"Cluster1", 12, "cluster_1">,
  I32EnumAttrCase<"Cluster2", 13, "cluster_2">,
  I32EnumAttrCase<"Global", 14, "global">
]>;
def Pl_LevelAttr : EnumAttr<Pl_Dialect, Pl_Level, "level">;

def Pl_LoopKind : Pl_Enum<"LoopKind", "what iterations are to each other", [
  I32EnumAttrCase<"AnyOrder", 0, "any_order">, // pl.parallel
  I32EnumAttrCase<"Grid", 1, "grid">,          // blocks, which may synchronise
  I32EnumAttrCase<"Lanes", 2, "lanes">         // of one core, likewise
]>;
def Pl_LoopKindAttr : EnumAttr<Pl_Dialect, Pl_LoopKind, "loop">;

// Where a tensor or a tile is to lie; a target takes those it has.
def Pl_MemorySpace : Pl_Enum<"MemorySpace", "a memory of the machine", [
  I32EnumAttrCase<"Global", 0, "global">,
  I32EnumAttrCase<"Scratchpad", 1, "scratchpad">,
  I32EnumAttrCase<"Matrix", 2, "matrix">,          // operands of matmuls
  I32EnumAttrCase<"Left", 3, "left">,
  I32EnumAttrCase<"Right", 4, "right">,
  I32EnumAttrCase<"Accumulator", 5, "accumulator">,
  I32EnumAttrCase<"Bias", 6, "bias">,
  I32EnumAttrCase<"Scalar", 7, "scalar">,
  I32EnumAttrCase<"Shared", 8, "shared">,
  I32EnumAttrCase<"Registers", 9, "registers">
]>;
def Pl_MemorySpaceAttr : EnumAttr<Pl_Dialect, Pl_MemorySpace, "space"> {
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
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">,
  I32EnumAttrCase<"NanMax", 4, "nanmax">,
  I32EnumAttrCase<"NanMin", 5, "nanmin">
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

// What a matmul may do to its operands before it multiplies them, or to what it
// sums up. Without one it may do nothing.
def Pl_Precision : Pl_Enum<"Precision", "what matmuls may round", [
  I32EnumAttrCase<"Tf32", 0, "tf32">, // FP32 to 10 bits behind the leading one
  I32EnumAttrCase<"Fp8", 1, "fp8">    // sums of 128 terms of FP8
]>;
def Pl_PrecisionAttr : EnumAttr<Pl_Dialect, Pl_Precision, "precision">;

#endif // TEGULA_IR_PL_ATTRS
