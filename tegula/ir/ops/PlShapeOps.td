// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_SHAPE_OPS
#define TEGULA_IR_PL_SHAPE_OPS

include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "tegula/ir/ops/PlInterfaces.td"
include "tegula/ir/ops/PlTypes.td"

// Other extents than there are elements for are an error of the call: not to
// be run where the program would not have.
def Pl_ReshapeElementsOp : Pl_Op<"reshape_elements", [
    NoMemoryEffect, DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>,
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>]> {
  let summary = "The same elements in another shape of run-time extents";
  let description = [{
    The valid elements keep their row-major order. If the sizes do not hold as
    many elements as the source has, that is a run-time error of the call.

    ```mlir
    %r = pl.reshape_elements %t, [%m, %c4, %c32] : !pl.tile<[?, 128], f32> -> !pl.tile<[?, 4, 32], f32>
    ```
    ```python
    heads = pl.reshape(x + y, [M, 4, 32])
    ```
  }];
  let arguments = (ins Pl_AnyTile:$source, Variadic<Index>:$sizes);
  let results = (outs Pl_AnyTile:$result);
  let assemblyFormat = [{
    $source `,` `[` $sizes `]` attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Pl_ViewOp : Pl_Op<"view", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>, ViewLikeOpInterface,
    DeclareOpInterfaceMethods<Pl_ExtentsOpInterface>]> {
  let summary = "A tensor in another shape";
  let description = [{
    Elements keep their row-major order. If `sizes` do not hold as many elements
    as the source has, that is a run-time error of the call. Where the strides
    of the source allow it, the result is the same memory. Elsewhere it is a
    packed copy made here; with `aliasing`, which says that the memory may be
    written while the view is in use, it is a run-time error of the call.

    ```mlir
    %v = pl.view %x, [%n] : !pl.tensor<[?, 128], f32> -> !pl.tensor<[?], f32>
    %w = pl.view %y, [%m, %c4, %c32] {aliasing} : !pl.tensor<[?, 128], f32> -> !pl.tensor<[?, 4, 32], f32>
    ```
    ```python
    heads = pl.reshape(x, [M, 4, 32])
    ```
  }];
  let arguments = (ins Arg<Pl_AnyTensor, "", [MemRead]>:$source,
                       Variadic<Index>:$sizes, UnitAttr:$aliasing);
  let results = (outs Pl_AnyTensor:$result);
  let assemblyFormat = [{
    $source `,` `[` $sizes `]` attr-dict `:` type($source) `->` type($result)
  }];
  let extraClassDeclaration = [{
    ::mlir::Value getViewSource() { return getSource(); }
  }];
  let hasVerifier = 1;
}

#endif // TEGULA_IR_PL_SHAPE_OPS
