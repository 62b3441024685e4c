// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_TILE_OPS
#define TEGULA_IR_PL_TILE_OPS

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "tegula/ir/ops/PlAttrs.td"
include "tegula/ir/ops/PlInterfaces.td"
include "tegula/ir/ops/PlTypes.td"

class Pl_TileOp<string mnemonic, list<Trait> traits = [],
                list<Trait> effects = [Pure]>
    : Pl_Op<mnemonic, traits # effects # [
        DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>,
        DeclareOpInterfaceMethods<Pl_InterpretOpInterface>]>;

def Pl_FullOp : Pl_TileOp<"full"> {
  let summary = "Tile with one value everywhere";
  let description = [{
    ```mlir
    %t = pl.full %zero, [%c8, %n] : f32 -> !pl.tile<[8, upto 128], f32>
    ```
  }];
  let arguments = (ins Pl_Scalar:$value, Variadic<Index>:$sizes);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat =
      "$value `,` `[` $sizes `]` attr-dict `:` type($value) `->` type($result)";
  let builders = [
    OpBuilder<(ins "::mlir::Value":$value, "::mlir::ValueRange":$sizes)>
  ];
  let hasVerifier = 1;
}

def Pl_ArangeOp : Pl_TileOp<"arange"> {
  let summary = "Ramp start, start + 1, ... along the last axis";
  let description = [{
    Every row is the same ramp.

    ```mlir
    %t = pl.arange %start, [%c1, %c64] : i32 -> !pl.tile<[1, 64], i32>
    ```
  }];
  let arguments = (ins Pl_Scalar:$start, Variadic<Index>:$sizes);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat =
      "$start `,` `[` $sizes `]` attr-dict `:` type($start) `->` type($result)";
  let builders = [
    OpBuilder<(ins "::mlir::Value":$start, "::mlir::ValueRange":$sizes)>
  ];
  let hasVerifier = 1;
}

def Pl_BroadcastOp : Pl_TileOp<"broadcast"> {
  let summary = "Repeats axes of extent 1, and adds leading axes";
  let description = [{
    Axes are matched from the last one back. A source axis of 1, or at most 1,
    is repeated to the size given; any other keeps its extent. Where there is
    no element to repeat, the result has none either.

    ```mlir
    %r = pl.broadcast %v, [%c8, %n] : !pl.tile<[8, 1], f32> -> !pl.tile<[8, upto 128], f32>
    ```
  }];
  let arguments = (ins Pl_AnyTile:$source, Variadic<Index>:$sizes);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat = [{
    $source `,` `[` $sizes `]` attr-dict `:` type($source) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The axis of the source that gives the result's `axis` its elements, or
    /// nothing if that axis is repeated.
    ::std::optional<unsigned> getSourceAxis(unsigned axis);
    /// The axis of the source that is repeated along `axis` if it has an
    /// element; nothing if it always has, or does not exist.
    ::std::optional<unsigned> getOptionalAxis(unsigned axis);
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Pl_ReduceOp : Pl_TileOp<"reduce", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Combines the valid elements along one axis, which becomes 1";
  let description = [{
    With no valid element: sum 0, prod 1, max the lowest and min the highest
    value of the type (infinities for floats). `nanmax` and `nanmin` leave NaN
    out. Narrow floats are combined in
    FP32 and rounded once.

    ```mlir
    %m = pl.reduce max %x axis 1 : !pl.tile<[8, upto 128], f32>
    ```
  }];
  let arguments = (ins Pl_ReductionAttr:$reduction, Pl_AnyTile:$source,
                       I64Attr:$axis);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat =
      "$reduction $source `axis` $axis attr-dict `:` type($source)";
}

def Pl_MatmulOp : Pl_TileOp<"matmul", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Matmul, added to an accumulator if there is one";
  let description = [{
    `lhs` is M x K (K x M if `transpose_lhs`), `rhs` K x N (N x K if
    `transpose_rhs`). Axes before these two are batches: a matmul for each
    index along them. They are matched from the last one back; one of extent 1,
    or that only one operand has, is used for every index of the other.

    Floats narrower than FP32 are multiplied and summed in FP32, INT8, UINT8,
    INT4 and UINT4 in INT32; other types in themselves. The result has that
    type, or the accumulator's.

    With `precision tf32` a machine may round operands of FP32 to TF32 before it
    multiplies them: 10 bits behind the leading one. With `precision fp8` it may
    sum up FP8, 128 terms at a time, with fewer bits than FP32 has, as
    tensor cores do. None has to; sums are FP32 as ever otherwise.

    ```mlir
    %r = pl.matmul %a, %b acc %c : !pl.tile<[8, 16], f16>, !pl.tile<[16, 4], f16>, !pl.tile<[8, 4], f32>
    %s = pl.matmul %x, %y precision tf32 : !pl.tile<[8, 16], f32>, !pl.tile<[16, 4], f32>
    ```
  }];
  let arguments = (ins Pl_AnyTile:$lhs, Pl_AnyTile:$rhs,
                       Optional<Pl_AnyTile>:$acc, UnitAttr:$transpose_lhs,
                       UnitAttr:$transpose_rhs,
                       OptionalAttr<Pl_PrecisionAttr>:$precision);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`acc` $acc^)? (`precision` $precision^)? attr-dict
    `:` type($lhs) `,` type($rhs) (`,` type($acc)^)?
  }];
  let hasVerifier = 1;
}

def Pl_ReshapeOp : Pl_TileOp<"reshape"> {
  let summary = "The same elements in another shape";
  let description = [{
    Elements keep their row-major order. Either all extents are exact, or only
    axes of extent 1 are added and removed.

    ```mlir
    %r = pl.reshape %t, [%c1, %n] : !pl.tile<[upto 8, 1], f32> -> !pl.tile<[1, upto 8], f32>
    ```
  }];
  let arguments = (ins Pl_AnyTile:$source, Variadic<Index>:$sizes);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat = [{
    $source `,` `[` $sizes `]` attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Pl_TransposeOp : Pl_TileOp<"transpose", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Axes in another order";
  let description = [{
    Axis `i` of the result is axis `permutation[i]` of the source.

    ```mlir
    %r = pl.transpose %t [1, 0] : !pl.tile<[8, upto 128], f32>
    ```
  }];
  let arguments = (ins Pl_AnyTile:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat = "$source $permutation attr-dict `:` type($source)";
}

def Pl_ConcatOp : Pl_TileOp<"concat", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Valid elements of two tiles, one after the other";
  let description = [{
    ```mlir
    %r = pl.concat %a, %b axis 1 : !pl.tile<[8, 4], f32>, !pl.tile<[8, upto 4], f32>
    ```
  }];
  let arguments = (ins Pl_AnyTile:$lhs, Pl_AnyTile:$rhs, I64Attr:$axis);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat =
      "$lhs `,` $rhs `axis` $axis attr-dict `:` type($lhs) `,` type($rhs)";
}

// A negative offset is an error of the call: not to be run where the program
// would not have.
def Pl_WindowOp : Pl_TileOp<"window", [AttrSizedOperandSegments],
                            [NoMemoryEffect]> {
  let summary = "Part of a tile, clamped at its valid region";
  let description = [{
    As `pl.slice`, of a value. With zero offsets it narrows the valid region.
    Where the result is exactly `n` long, as many must be there: that they are
    not is a run-time error of the call.

    ```mlir
    %r = pl.window %t[%i, %j] [%c4, %n] : !pl.tile<[8, 128], f32> -> !pl.tile<[upto 4, upto 128], f32>
    ```
  }];
  let arguments = (ins Pl_AnyTile:$source, Variadic<Index>:$offsets,
                       Variadic<Index>:$sizes);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat = [{
    $source `[` $offsets `]` `[` $sizes `]` attr-dict
    `:` type($source) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::ValueRange":$offsets,
                   "::mlir::ValueRange":$sizes)>
  ];
  let hasVerifier = 1;
}

def Pl_InsertOp : Pl_TileOp<"insert", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>], [NoMemoryEffect]> {
  let summary = "Tile with a part replaced by another tile";
  let description = [{
    What of `source` lies beyond the valid region of `target` is left out. A
    negative offset is a run-time error of the call.

    ```mlir
    %r = pl.insert %s, %t[%i, %j] : !pl.tile<[4, 4], f32>, !pl.tile<[8, 128], f32>
    ```
  }];
  let arguments = (ins Pl_AnyTile:$source, Pl_AnyTile:$target,
                       Variadic<Index>:$offsets);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat = [{
    $source `,` $target `[` $offsets `]` attr-dict
    `:` type($source) `,` type($target)
  }];
}

def Pl_FillPadOp : Pl_TileOp<"fillpad", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Tile grown to its bounds, the new part filled with a value";
  let description = [{
    ```mlir
    %r = pl.fillpad %t, %zero : !pl.tile<[8, upto 128], f32>, f32
    ```
  }];
  let arguments = (ins Pl_AnyTile:$source, Pl_Scalar:$value);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat =
      "$source `,` $value attr-dict `:` type($source) `,` type($value)";
}

def Pl_RelaxOp : Pl_TileOp<"relax"> {
  let summary = "The same tile under a type that says less of its extents";
  let description = [{
    ```mlir
    %r = pl.relax %t : !pl.tile<[8, 128], f32> -> !pl.tile<[upto 8, 128], f32>
    ```
  }];
  let arguments = (ins Pl_AnyTile:$source);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat =
      "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Pl_WithExtentsOp : Pl_Op<"with_extents", [
    Pure, AllTypesMatch<["source", "result"]>, ViewLikeOpInterface,
    DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>,
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>]> {
  let summary = "The same value, whose extents are these";
  let description = [{
    What comes around a loop, out of a branch or out of a call has no op that
    says how long it is: this one does. Whoever puts it there has found out;
    the interpreter checks it.

    ```mlir
    %r, %n = scf.for ... iter_args(%a = %x, %e = %M) -> (!pl.tile<[?], f32>, index) {
      %t = pl.with_extents %a [%e] : !pl.tile<[?], f32>
    ```
  }];
  let arguments = (ins Pl_Shaped:$source, Variadic<Index>:$extents);
  let results = (outs Pl_Shaped:$result);
  let assemblyFormat =
      "$source `[` $extents `]` attr-dict `:` type($source)";
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSource(); }
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // TEGULA_IR_PL_TILE_OPS
