// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_REQUIRE_OPS
#define TEGULA_IR_PL_REQUIRE_OPS

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tegula/ir/ops/PlInterfaces.td"
include "tegula/ir/ops/PlTypes.td"

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

// What these ops report belongs to their location in the program: they read, so
// that nothing moves them where they would not have run.

def Pl_CheckIndexOp : Pl_Op<"check_index", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemRead]>, AllTypesMatch<["index", "extent", "result"]>]> {
  let summary = "Index that must lie in an extent";
  let description = [{
    Gives `index`. If it is not in [0, `extent`), that is a run-time error of
    the call, and the op gives `extent`: one past the end, where nothing is.

    ```python
    counts = pl.array.create(4, pl.INT32)
    counts[i] = 1  # an error of the call unless 0 <= i < 4
    ```
  }];
  let arguments = (ins Index:$index, Index:$extent, I64Attr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$index `below` $extent `on` $axis attr-dict";
}

def Pl_CheckStepOp : Pl_Op<"check_step", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemRead]>,
    AllTypesMatch<["step", "lower", "upper", "result"]>]> {
  let summary = "End of a loop whose step must be positive";
  let description = [{
    Gives `upper`. If `step` is not positive, that is a run-time error of the
    call, and the op gives `lower`: such a loop does not run.

    ```python
    for i in pl.range(0, n, step):  # step is a parameter
        total += x[i]
    ```
  }];
  let arguments = (ins Index:$step, Index:$lower, Index:$upper);
  let results = (outs Index:$result);
  let assemblyFormat = "$step `from` $lower `to` $upper attr-dict";
}

def Pl_PrintedValue : AnyTypeOf<[Pl_AnyTensor, Pl_Scalar]>;

def Pl_PrintOp : Pl_Op<"print", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    AttrSizedOperandSegments]> {
  let summary = "Prints a line while the program runs";
  let description = [{
    Prints `format` with each `{}` in it replaced by a value: a scalar, or what
    is in a tensor, as NumPy shows it. Braces that are meant as such are
    doubled. Before that it says which iteration of the loops around it is, once they
    are all known: `names` and `iterations`, the outermost loop first; `labelled`
    says that they are.

    Prints of one iteration keep their order. Those of iterations that run in
    any order come in any order, each line whole.

    ```mlir
    pl.print "x {}" (%t) at ["i"](%i) labelled : !pl.tensor<[upto 8, 128], f32>
    ```
    ```python
    pl.print("x", x[i : i + 8, :])
    ```
  }];
  let arguments = (ins StrAttr:$format, Variadic<Pl_PrintedValue>:$values,
                       DefaultValuedAttr<StrArrayAttr, "{}">:$names,
                       Variadic<Index>:$iterations, UnitAttr:$labelled);
  let assemblyFormat = [{
    $format `(` $values `)` (`at` $names^ `(` $iterations `)`)?
    (`labelled` $labelled^)? attr-dict (`:` type($values)^)?
  }];
  let hasVerifier = 1;
}

def Pl_AssertOp : Pl_Op<"assert", [
    DeclareOpInterfaceMethods<Pl_InterpretOpInterface>,
    MemoryEffects<[MemWrite<Pl_CallState>]>]> {
  let summary = "What must hold where it stands";
  let description = [{
    If the condition is false, the call fails with an error that shows the
    author's `function` and `text`, and in which iteration of the loops around it
    that was. Names and iterations are those
    of pl.print. Unlike with pl.require, nothing follows from it for the
    compiler.

    ```mlir
    pl.assert %c, "softmax", "no row is empty" at ["i"](%i) labelled
    ```
    ```python
    pl.assert_(total > 0.0, "no row is empty")
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$function, StrAttr:$text,
                       DefaultValuedAttr<StrArrayAttr, "{}">:$names,
                       Variadic<Index>:$iterations, UnitAttr:$labelled);
  let assemblyFormat = [{
    $condition `,` $function `,` $text (`at` $names^ `(` $iterations `)`)?
    (`labelled` $labelled^)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// "assertion failed in 'softmax': no row is empty"
    std::string describe();
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

#endif // TEGULA_IR_PL_REQUIRE_OPS
