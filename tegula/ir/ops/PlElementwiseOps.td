// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_ELEMENTWISE_OPS
#define TEGULA_IR_PL_ELEMENTWISE_OPS

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tegula/ir/ops/PlAttrs.td"
include "tegula/ir/ops/PlInterfaces.td"
include "tegula/ir/ops/PlTypes.td"

class Pl_ValueOf<string test_, string elements_>
    : Type<And<[Pl_Value.predicate,
                CPred<"::tegula::pl::" # test_ #
                      "(::tegula::pl::getElementOrSelf($_self))">]>,
           "tile or scalar of " # elements_> {
  string test = test_;
  string elements = elements_;
}
def Pl_Floats : Pl_ValueOf<"isFloat", "floats">;
def Pl_Integers : Pl_ValueOf<"isIntegerOrBool", "integers or booleans">;
def Pl_Numeric : Pl_ValueOf<"isNumeric", "numbers">;
def Pl_Booleans : Pl_ValueOf<"isBool", "booleans">;
def Pl_Any : Pl_ValueOf<"isElementType", "any element type">;

class Pl_ElementwiseOp<string mnemonic, list<Trait> traits = [],
                       string inference = "inferElementwise",
                       Pl_ValueOf operand = Pl_Any>
    : Pl_Op<mnemonic, traits # [
        Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>,
        DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>,
        DeclareOpInterfaceMethods<Pl_ElementwiseOpInterface>,
        DeclareOpInterfaceMethods<Pl_InterpretOpInterface>]> {
  // How many instructions one element takes, where an addition takes one. What
  // becomes two or three of them counts as one.
  int cost = ?;
  // The same where elements are integers.
  int integerCost = cost;
  let extraClassDefinition = [{
    ::tegula::pl::OpCost $cppClass::getCost() {
      return {}] # cost # ", " # integerCost # [{};
    }
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr,
        ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return detail::}] # inference # [{(location, operands, types);
    }
    ::tegula::pl::ExtentRule $cppClass::getExtentRule(unsigned axis) {
      return detail::elementwiseRule(*this, axis);
    }
    bool $cppClass::takesElement(::mlir::Type element) {
      return ::tegula::pl::}] # operand.test # [{(element);
    }
    ::llvm::StringRef $cppClass::getElementKind() {
      return "}] # operand.elements # [{";
    }
    ::llvm::LogicalResult $cppClass::interpret(Frame &frame) {
      return detail::interpretElementwise(*this, frame);
    }
  }];
}

// An op that is a function of the language under its own name: `pl.exp(x)`.
class Pl_FunctionOp {
  // What a call gives, for authors of kernels.
  string meaning = ?;
}

class Pl_UnaryOp<string mnemonic, string text, Pl_ValueOf operand>
    : Pl_ElementwiseOp<mnemonic, [], "inferElementwise", operand>,
      Pl_FunctionOp {
  let summary = text;
  let description = "```mlir\n%r = pl." # mnemonic #
                    " %x : !pl.tile<[8, upto 128], " #
                    !if(!eq(operand, Pl_Integers), "i32", "f32") # ">\n```";
  let arguments = (ins operand:$operand);
  let results = (outs Pl_Value:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Pl_NegOp   : Pl_UnaryOp<"neg", "Negation", Pl_Numeric> {
  let cost = 1;
  let meaning = "negated, as `-x`";
}
def Pl_AbsOp   : Pl_UnaryOp<"abs", "Absolute value", Pl_Numeric> {
  let cost = 1;
  let meaning = "the absolute value";
}
def Pl_ExpOp   : Pl_UnaryOp<"exp", "e to the power of x", Pl_Floats> {
  let cost = 20;
  let meaning = "e to the power of x";
}
def Pl_LogOp   : Pl_UnaryOp<"log", "Natural logarithm", Pl_Floats> {
  let cost = 35;
  let meaning = "the natural logarithm";
}
def Pl_SqrtOp  : Pl_UnaryOp<"sqrt", "Square root", Pl_Floats> {
  let cost = 10;
  let meaning = "the square root";
}
def Pl_RsqrtOp : Pl_UnaryOp<"rsqrt", "One over the square root", Pl_Floats> {
  let cost = 10;
  let meaning = "1 over the square root";
}
def Pl_RecipOp : Pl_UnaryOp<"recip", "One over x", Pl_Floats> {
  let cost = 10;
  let meaning = "1 over x";
}
def Pl_SinOp   : Pl_UnaryOp<"sin", "Sine of x in radians", Pl_Floats> {
  let cost = 35;
  let meaning = "the sine of x in radians";
}
def Pl_CosOp   : Pl_UnaryOp<"cos", "Cosine of x in radians", Pl_Floats> {
  let cost = 35;
  let meaning = "the cosine of x in radians";
}
def Pl_TanhOp  : Pl_UnaryOp<"tanh", "Hyperbolic tangent", Pl_Floats> {
  let cost = 35;
  let meaning = "the hyperbolic tangent";
}
def Pl_ErfOp   : Pl_UnaryOp<"erf", "Error function", Pl_Floats> {
  let cost = 35;
  let meaning = "the error function";
}
def Pl_FloorOp : Pl_UnaryOp<"floor", "Largest integer not above x", Pl_Floats> {
  let cost = 1;
  let meaning = "the largest integer not above x, as a float";
}
def Pl_CeilOp  : Pl_UnaryOp<"ceil", "Smallest integer not below x", Pl_Floats> {
  let cost = 1;
  let meaning = "the smallest integer not below x, as a float";
}
def Pl_TruncOp : Pl_UnaryOp<"trunc", "x without its fraction", Pl_Floats> {
  let cost = 1;
  let meaning = "x without its fraction, as a float";
}
def Pl_RoundOp : Pl_UnaryOp<"round", "Nearest integer, ties to even", Pl_Floats> {
  let cost = 1;
  let meaning = "the nearest integer, as a float; of two equally near ones the "
                "even one";
}
def Pl_ReluOp  : Pl_UnaryOp<"relu", "The larger of x and 0", Pl_Numeric> {
  let cost = 1;
  let meaning = "the larger of x and 0";
}
def Pl_NotOp   : Pl_UnaryOp<"not_", "All bits flipped; logical not of booleans",
                            Pl_Integers> {
  let cost = 1;
  let meaning = "all bits flipped, as `~x`; not, for BOOL";
}

class Pl_BinaryOp<string mnemonic, string text, Pl_ValueOf operand,
                  list<Trait> traits = []>
    : Pl_ElementwiseOp<mnemonic, traits, "inferElementwise", operand>,
      Pl_FunctionOp {
  let summary = text;
  let description = [{
    Both operands have one element type. Where the extents of two tiles differ,
    the result is valid where both are.
  }] # "\n```mlir\n%r = pl." # mnemonic #
       " %a, %b : !pl.tile<[8, upto 128], " #
       !if(!eq(operand, Pl_Integers), "i32", "f32") # ">, !pl.tile<[8, 128], " #
       !if(!eq(operand, Pl_Integers), "i32", "f32") # ">\n```";
  let arguments = (ins operand:$lhs, operand:$rhs);
  let results = (outs Pl_Value:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
}

def Pl_AddOp : Pl_BinaryOp<"add", "Sum", Pl_Numeric, [Commutative]> {
  let cost = 1;
  let meaning = "the sum, as `+`; integers wrap";
}
def Pl_SubOp : Pl_BinaryOp<"sub", "Difference", Pl_Numeric> {
  let cost = 1;
  let meaning = "the difference, as `-`";
}
def Pl_MulOp : Pl_BinaryOp<"mul", "Product", Pl_Numeric, [Commutative]> {
  let cost = 1;
  let meaning = "the product, as `*`";
}
def Pl_DivOp : Pl_BinaryOp<"div",
    "Quotient; integers round toward minus infinity, and x div 0 is 0",
    Pl_Numeric> {
  let cost = 10;
  let integerCost = 20;
  let meaning = "the quotient, as `/`; of integers, rounded toward zero, and 0 "
                "where the divisor is 0";
}
def Pl_RemOp : Pl_BinaryOp<"rem",
    "Remainder with the sign of the divisor, as Python's %; integer x rem 0 is 0",
    Pl_Numeric> {
  let cost = 20;
  let meaning = "the remainder with the sign of the divisor, as `%`; 0 "
                "where an integer divisor is 0";
}
def Pl_FmodOp : Pl_BinaryOp<"fmod",
    "Remainder with the sign of the dividend, as C's fmod; integer x fmod 0 is 0",
    Pl_Numeric> {
  let cost = 20;
  let meaning = "the remainder with the sign of the dividend, as in C; 0 "
                "where an integer divisor is 0";
}
def Pl_PowOp : Pl_BinaryOp<"pow", "lhs to the power of rhs", Pl_Numeric> {
  let cost = 120;
  let meaning = "lhs to the power of rhs, as `**`; integers wrap, and to a "
                "negative power give 0 unless they are 1 or -1";
}
def Pl_MaximumOp : Pl_BinaryOp<"maximum",
    "The larger; NaN if either is NaN", Pl_Numeric, [Commutative]> {
  let cost = 1;
  let meaning = "the larger; NaN if either is NaN";
}
def Pl_MinimumOp : Pl_BinaryOp<"minimum",
    "The smaller; NaN if either is NaN", Pl_Numeric, [Commutative]> {
  let cost = 1;
  let meaning = "the smaller; NaN if either is NaN";
}
def Pl_FmaxOp : Pl_BinaryOp<"fmax",
    "The larger; the other one if either is NaN", Pl_Numeric, [Commutative]> {
  let cost = 1;
  let meaning = "the larger; the other one if either is NaN";
}
def Pl_FminOp : Pl_BinaryOp<"fmin",
    "The smaller; the other one if either is NaN", Pl_Numeric, [Commutative]> {
  let cost = 1;
  let meaning = "the smaller; the other one if either is NaN";
}
def Pl_AndOp : Pl_BinaryOp<"and_", "Bitwise and", Pl_Integers, [Commutative]> {
  let cost = 1;
  let meaning = "the bits set in both, as `&`";
}
def Pl_OrOp  : Pl_BinaryOp<"or_", "Bitwise or", Pl_Integers, [Commutative]> {
  let cost = 1;
  let meaning = "the bits set in either, as `|`";
}
def Pl_XorOp : Pl_BinaryOp<"xor", "Bitwise exclusive or", Pl_Integers,
                           [Commutative]> {
  let cost = 1;
  let meaning = "the bits set in one of the two, as `^`";
}
def Pl_ShlOp : Pl_BinaryOp<"shl",
    "Shift left; a count outside the width gives 0", Pl_Integers> {
  let cost = 1;
  let meaning = "shifted left, as `<<`; 0 from the width on";
}
def Pl_ShrOp : Pl_BinaryOp<"shr",
    "Shift right, arithmetic if signed; a count outside the width shifts all out",
    Pl_Integers> {
  let cost = 1;
  let meaning = "shifted right, as `>>`, signed integers with their sign; "
                "everything is shifted out from the width on";
}

def Pl_CmpOp : Pl_ElementwiseOp<"cmp", [], "inferComparison"> {
  let cost = 1;
  let summary = "Comparison of elements, as booleans";
  let description = [{
    Comparisons with NaN are false, but for `ne`.

    ```mlir
    %m = pl.cmp lt %a, %b : !pl.tile<[8, 128], f32>, !pl.tile<[8, 128], f32>
    ```
  }];
  let arguments = (ins Pl_ComparisonAttr:$comparison, Pl_Any:$lhs, Pl_Any:$rhs);
  let results = (outs Pl_Booleans:$result);
  let assemblyFormat =
      "$comparison $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
}

def Pl_SelectOp : Pl_ElementwiseOp<"select", [], "inferSelect"> {
  let cost = 1;
  let summary = "Picks elements by a mask";
  let description = [{
    ```mlir
    %r = pl.select %m, %a, %b : !pl.tile<[8], i1>, !pl.tile<[8], f32>, !pl.tile<[8], f32>
    ```
  }];
  let arguments = (ins Pl_Booleans:$mask, Pl_Any:$lhs, Pl_Any:$rhs);
  let results = (outs Pl_Value:$result);
  let assemblyFormat = [{
    $mask `,` $lhs `,` $rhs attr-dict
    `:` type($mask) `,` type($lhs) `,` type($rhs)
  }];
}

def Pl_CastOp : Pl_Op<"cast", [
    Pure, DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>,
    DeclareOpInterfaceMethods<Pl_ElementwiseOpInterface>,
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>]> {
  let summary = "Conversion to another element type";
  let description = [{
    Float to integer rounds by the mode (`none`: toward zero), saturates at the
    ends of the range, and turns NaN into 0. Float to narrower float rounds by the mode (`none`:
    to nearest, ties to even). Integer to narrower integer keeps the low bits; anything to boolean
    is `x != 0`.

    ```mlir
    %r = pl.cast %x round : !pl.tile<[8], f32> -> !pl.tile<[8], bf16>
    ```
  }];
  let arguments = (ins Pl_Any:$operand, Pl_RoundingAttr:$rounding);
  let results = (outs Pl_Any:$result);
  let assemblyFormat =
      "$operand $rounding attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDefinition = [{
    ::tegula::pl::OpCost $cppClass::getCost() { return {1, 1}; }
    ::tegula::pl::ExtentRule $cppClass::getExtentRule(unsigned axis) {
      return detail::elementwiseRule(*this, axis);
    }
    ::llvm::LogicalResult $cppClass::interpret(Frame &frame) {
      return detail::interpretElementwise(*this, frame);
    }
  }];
}

#endif // TEGULA_IR_PL_ELEMENTWISE_OPS
