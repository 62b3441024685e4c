// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_REQUIRE_OPS
#define TEGULA_IR_PL_REQUIRE_OPS

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tegula/ir/PlInterfaces.td"
include "tegula/ir/PlTypes.td"

def Pl_CallState : Resource<"::tegula::pl::CallStateResource">;

def Pl_RequireOp : Pl_Op<"require", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemWrite<Pl_CallState>]>]> {
  let summary = "What must hold from here on";
  let description = [{
    If the condition is false, the call fails with an error that shows `text`
    and the sizes it is about; otherwise it is a fact that the compiler uses.
    Requirements that depend on the extents of parameters only are moved to the
    top of the entry and marked `at_call`: the guard of the call checks them,
    and compiled code does not.

    `argument` and `axis` say which declared axis the requirement is about;
    -1 if it is about none. `origin` says who asks: `assumed` is the author,
    `declared` a shape in the signature, `derived` an operation that needs it.

    ```python
    pl.assume(M % 16 == 0)
    ```
    ```mlir
    pl.require %c, "M % 16 == 0", "assumed" ["M"](%M)
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$text, StrAttr:$origin,
                       StrArrayAttr:$names, Variadic<Index>:$sizes,
                       DefaultValuedAttr<I64Attr, "-1">:$argument,
                       DefaultValuedAttr<I64Attr, "-1">:$axis,
                       UnitAttr:$at_call);
  let assemblyFormat = [{
    $condition `,` $text `,` $origin $names `(` $sizes `)` attr-dict
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

#endif // TEGULA_IR_PL_REQUIRE_OPS
