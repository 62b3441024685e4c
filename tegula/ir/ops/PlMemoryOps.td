// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_MEMORY_OPS
#define TEGULA_IR_PL_MEMORY_OPS

include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ValueBoundsOpInterface.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "tegula/ir/ops/PlAttrs.td"
include "tegula/ir/ops/PlInterfaces.td"
include "tegula/ir/ops/PlTypes.td"

def Pl_BindOp : Pl_Op<"bind", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
    DeclareOpInterfaceMethods<ValueBoundsOpInterface, ["populateBoundsForIndexValue"]>]> {
  let summary = "Binds a symbol to the extents that declare it";
  let description = [{
    Gives the extent named by the symbol. Every listed axis of a function
    argument has this extent: the call guard checks that they agree. The op
    stays where it is even if nothing uses the symbol.

    ```mlir
    %M = pl.bind "M" %x[0], %y[0] : !pl.tensor<[?, 8], f32>, !pl.tensor<[?], f32>
    ```
  }];
  let arguments = (ins StrAttr:$symbol, Variadic<Pl_AnyTensor>:$tensors,
                       DenseI64ArrayAttr:$axes);
  let results = (outs Index:$extent);
  let assemblyFormat = [{
    $symbol custom<AxisList>($tensors, $axes) attr-dict `:` type($tensors)
  }];
  let hasVerifier = 1;
}

def Pl_DimOp : Pl_Op<"dim", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    Pure, DeclareOpInterfaceMethods<ValueBoundsOpInterface, ["populateBoundsForIndexValue"]>]> {
  let summary = "Extent of a tensor or a tile along one axis";
  let description = [{
    ```mlir
    %n = pl.dim %t[1] : !pl.tile<[8, upto 128], f32>
    ```
  }];
  let arguments = (ins Pl_Shaped:$source, I64Attr:$axis);
  let results = (outs Index:$extent);
  let assemblyFormat = "$source `[` $axis `]` attr-dict `:` type($source)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Pl_CreateTensorOp : Pl_Op<"create_tensor", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemAlloc]>,
    DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>]> {
  let summary = "Memory that lives until the function returns";
  let description = [{
    The contents are undefined until written.

    ```mlir
    %t = pl.create_tensor [%M, %c128] : !pl.tensor<[?, 128], f32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$sizes);
  let results = (outs Pl_AnyTensor:$result);
  let assemblyFormat = "`[` $sizes `]` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

// A negative offset is an error of the call: not to be run where the program
// would not have.
def Pl_SliceOp : Pl_Op<"slice", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    NoMemoryEffect, AttrSizedOperandSegments, ViewLikeOpInterface,
    DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>]> {
  let summary = "Window of a tensor, clamped at its edge";
  let description = [{
    A view of `sizes` elements from `offsets` on. Along each axis its extent is
    `max(0, min(size, extent - offset))`, as with a Python slice. A negative
    offset is a run-time error of the call. Where the result is exactly `n`
    long, as many must be there: that they are not is a run-time error of the
    call. Axes in `drop` have size 1 and do not appear in the result; an offset
    beyond their extent is an error as well.

    ```mlir
    %v = pl.slice %x[%i, %j] [%c8, %n] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[upto 8, ?], f32>
    %row = pl.slice %x[%i, %c0] [%c1, %n] drop [0] : !pl.tensor<[?, ?], f32> -> !pl.tensor<[?], f32>
    ```
  }];
  let arguments = (ins Pl_AnyTensor:$source, Variadic<Index>:$offsets,
                       Variadic<Index>:$sizes,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$drop);
  let results = (outs Pl_AnyTensor:$result);
  let assemblyFormat = [{
    $source `[` $offsets `]` `[` $sizes `]` (`drop` $drop^)? attr-dict
    `:` type($source) `->` type($result)
  }];
  let builders = [
    // Infers the result's dims from what is known of offsets and sizes.
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::ValueRange":$offsets,
                   "::mlir::ValueRange":$sizes,
                   CArg<"::llvm::ArrayRef<int64_t>", "{}">:$drop)>
  ];
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSource(); }
    /// Maps an axis of the result to the axis of the source it views.
    unsigned getSourceAxis(unsigned resultAxis);
    /// The extent of the window along an axis of the source.
    ::tegula::pl::ExtentRule getSourceRule(unsigned axis);
  }];
  let hasVerifier = 1;
}

def Pl_LoadOp : Pl_Op<"load", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>,
    DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>]> {
  let summary = "Reads a whole tensor view as a tile";
  let description = [{
    ```mlir
    %t = pl.load %v : !pl.tensor<[upto 8, 128], f32>
    ```
  }];
  let arguments = (ins Arg<Pl_AnyTensor, "", [MemRead]>:$source);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Pl_StoreOp : Pl_Op<"store", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>]> {
  let summary = "Writes a tile into a tensor view";
  let description = [{
    Along each axis the first `min(tile extent, view extent)` elements are
    written; the rest of the view keeps its contents.

    ```mlir
    pl.store %t, %v : !pl.tile<[8, 128], f32>, !pl.tensor<[upto 8, 128], f32>
    ```
  }];
  let arguments = (ins Pl_AnyTile:$tile,
                       Arg<Pl_AnyTensor, "", [MemWrite]>:$target);
  let assemblyFormat =
      "$tile `,` $target attr-dict `:` type($tile) `,` type($target)";
  let hasVerifier = 1;
}

def Pl_ReadOp : Pl_Op<"read", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Reads one element of a tensor or a tile";
  let description = [{
    An index outside the extents is a run-time error of the call; the value is
    then zero.

    ```mlir
    %s = pl.read %x[%i, %j] : !pl.tensor<[?, 128], f32>
    ```
  }];
  let arguments = (ins Pl_Shaped:$source, Variadic<Index>:$indices);
  let results = (outs Pl_Scalar:$result);
  let assemblyFormat = "$source `[` $indices `]` attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def Pl_WriteOp : Pl_Op<"write", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>]> {
  let summary = "Writes one element of a tensor";
  let description = [{
    An index outside the extents is a run-time error of the call; nothing is
    then written.

    ```mlir
    pl.write %s, %y[%i, %j] : f32, !pl.tensor<[?, 128], f32>
    ```
  }];
  let arguments = (ins Pl_Scalar:$value,
                       Arg<Pl_AnyTensor, "", [MemWrite]>:$target,
                       Variadic<Index>:$indices);
  let assemblyFormat = [{
    $value `,` $target `[` $indices `]` attr-dict
    `:` type($value) `,` type($target)
  }];
  let hasVerifier = 1;
}

def Pl_ScanOp : Pl_Op<"scan", [
    Pl_ResultsInMemoryOpInterface,
    DeclareOpInterfaceMethods<Pl_ExpandOpInterface>,
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>]> {
  let summary = "What each element and all before it along an axis combine to";
  let description = [{
    Narrow floats are combined in FP32, and each result is rounded once. What
    only one of the tensors has is left alone.

    ```mlir
    pl.scan sum %x axis 1 into %y : !pl.tensor<[?, 128], f32>, !pl.tensor<[?, 128], f32>
    ```

    ```python
    totals = pl.cumsum(x, axis=1)
    ```
  }];
  let arguments = (ins Pl_ReductionAttr:$reduction,
                       Arg<Pl_AnyTensor, "", [MemRead]>:$source, I64Attr:$axis,
                       Arg<Pl_AnyTensor, "", [MemWrite]>:$target);
  let assemblyFormat = [{
    $reduction $source `axis` $axis `into` $target attr-dict
    `:` type($source) `,` type($target)
  }];
  let hasVerifier = 1;
}

#endif // TEGULA_IR_PL_MEMORY_OPS
