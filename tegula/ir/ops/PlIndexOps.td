// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_INDEX_OPS
#define TEGULA_IR_PL_INDEX_OPS

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tegula/ir/ops/PlAttrs.td"
include "tegula/ir/ops/PlInterfaces.td"
include "tegula/ir/ops/PlTypes.td"

// An index out of range is an error of the call: not to be run where the
// program would not have.
class Pl_IndexedOp<string mnemonic> : Pl_Op<mnemonic, [
    NoMemoryEffect, DeclareOpInterfaceMethods<InferTypeOpInterface>,
    DeclareOpInterfaceMethods<Pl_ExpandOpInterface>,
    DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>,
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>]>;

def Pl_GatherOp : Pl_IndexedOp<"gather"> {
  let summary = "Elements of a tile, picked by an index tile";
  let description = [{
    With an axis, the element at `[.., k, ..]` of the result is the one of
    `source` at the same indices, but with `index[.., k, ..]` along `axis`. The
    extents are those of `index`; along the other axes no more than `source`
    has.

    Without an axis, an index counts the elements of `source` in row-major order
    of its static shape, or of its extents where there is no bound; the result
    has the shape of `index`, whatever its rank.

    An index that picks no valid element is a run-time error of the call.

    ```mlir
    %r = pl.gather %x[%i] axis 1 : !pl.tile<[8, 128], f32>, !pl.tile<[8, 4], i32>
    %f = pl.gather %x[%i] : !pl.tile<[8, 128], f32>, !pl.tile<[3], i32>
    ```
    ```python
    y[:] = pl.gather(x, dim=-1, index=i)
    ```
  }];
  let arguments = (ins Pl_AnyTile:$source, Pl_AnyTile:$index,
                       OptionalAttr<I64Attr>:$axis);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat = [{
    $source `[` $index `]` (`axis` $axis^)? attr-dict
    `:` type($source) `,` type($index)
  }];
}

def Pl_ScatterOp : Pl_IndexedOp<"scatter"> {
  let summary = "Tile with elements replaced at indices given by an index tile";
  let description = [{
    The inverse of `pl.gather`: the element of `source` at `[.., k, ..]` goes to
    the same indices of the result, but with `index[.., k, ..]` along `axis`;
    without an axis an index counts the elements of `target`. Only what is
    valid in both `source` and `index` is put. Where two go to one index, the
    last in row-major order stays. The rest is as in `target`. An index that
    names no valid index is a run-time error of the call.

    ```mlir
    %r = pl.scatter %s, %t[%i] axis 1 : !pl.tile<[8, 4], f32>, !pl.tile<[8, 128], f32>, !pl.tile<[8, 4], i32>
    ```
    ```python
    y[:] = pl.scatter(x, dim=-1, index=i, src=s)
    ```
  }];
  let arguments = (ins Pl_AnyTile:$source, Pl_AnyTile:$target,
                       Pl_AnyTile:$index, OptionalAttr<I64Attr>:$axis);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat = [{
    $source `,` $target `[` $index `]` (`axis` $axis^)? attr-dict
    `:` type($source) `,` type($target) `,` type($index)
  }];
}

def Pl_ScatterStoreOp : Pl_Op<"scatter_store", [
    DeclareOpInterfaceMethods<Pl_ExpandOpInterface>,
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Writes elements of a tile to indices given by an index tile";
  let description = [{
    As `pl.scatter`, into memory. With `add` each element is added to what is
    there, one after the other in row-major order.

    ```mlir
    pl.scatter_store %s, %y[%i] add : !pl.tile<[8, 4], f32>, !pl.tensor<[?, 128], f32>, !pl.tile<[8, 4], i32>
    ```
    ```python
    pl.mscatter(t, i, y)
    ```
  }];
  let arguments = (ins Pl_AnyTile:$source, Pl_AnyTensor:$target,
                       Pl_AnyTile:$index, OptionalAttr<I64Attr>:$axis,
                       UnitAttr:$add);
  let assemblyFormat = [{
    $source `,` $target `[` $index `]` (`axis` $axis^)? (`add` $add^)? attr-dict
    `:` type($source) `,` type($target) `,` type($index)
  }];
  let hasVerifier = 1;
}

def Pl_FindOp : Pl_IndexedOp<"find"> {
  let summary = "Indices of the true elements along the last axis";
  let description = [{
    Each row of the result, `columns` long, starts with the indices at which
    the row of `mask` is true, in order; those that do not fit are left out,
    and what is left is 0.

    ```mlir
    %r = pl.find %m columns 16 : !pl.tile<[8, upto 128], i1>
    ```
    ```python
        indices, counts = pl.gather(x, kvalue=0.5, cmp_mode="gt", out_cols=16)
    ```
  }];
  let arguments = (ins Pl_AnyTile:$mask, I64Attr:$columns);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat = "$mask `columns` $columns attr-dict `:` type($mask)";
}

def Pl_BitcastOp : Pl_Op<"bitcast", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>,
    DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>,
    DeclareOpInterfaceMethods<Pl_ElementwiseOpInterface>,
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>]> {
  let summary = "The same bits read as another element type of the same width";
  let description = [{
    Which NaN a NaN is, is not kept.

    ```mlir
    %r = pl.bitcast %x to ui32 : !pl.tile<[8], f32>
    ```
    ```python
    bits = pl.reinterpret_view(x, pl.UINT32)
    ```
  }];
  let arguments = (ins Pl_Value:$operand, TypeAttr:$element);
  let results = (outs Pl_Value:$result);
  let assemblyFormat = "$operand `to` $element attr-dict `:` type($operand)";
  let extraClassDefinition = [{
    ::tegula::pl::OpCost $cppClass::getCost() { return {0, 0}; }
  }];
}

#endif // TEGULA_IR_PL_INDEX_OPS
