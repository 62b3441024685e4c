// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_INTERFACES
#define TEGULA_IR_PL_INTERFACES

include "mlir/IR/OpBase.td"

def Pl_ExtentsOpInterface : OpInterface<"ExtentsOpInterface"> {
  let cppNamespace = "::tegula::pl";
  let description = [{
    An op with one tensor or tile result whose extents follow from its
    operands. The verifier checks that the type says no more than the rule.
  }];
  let methods = [
    InterfaceMethod<[{
      What the extent of the result along `axis` is.
    }], "::tegula::pl::ExtentRule", "getExtentRule", (ins "unsigned":$axis)>
  ];
  let extraSharedClassDeclaration = [{
    /// Builds the extent of the result along `axis` as an index value at the
    /// builder's insertion point, from the op's operands alone.
    ::mlir::Value reifyExtent(::mlir::OpBuilder &builder, unsigned axis) {
      return ::tegula::pl::detail::reifyExtent(builder, $_op, axis);
    }
  }];
  // After the op's own verifier: sizes are as many as there are axes.
  let verifyWithRegions = 1;
  let verify = "return ::tegula::pl::detail::verifyExtents($_op);";
}

def Pl_ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::tegula::pl";
  let description = [{
    An op that computes each element of its result from the elements of its
    operands at the same indices, on tiles or on scalars.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the op on one element with `arith` and `math` ops. Integers are
      signless there; the op's own types say which are unsigned.
    }], "::mlir::Value", "buildScalar",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$scalars)>,
    InterfaceMethod<[{
      The op on one element, as the interpreter computes it: floats in double,
      rounded once to the type of the result.
    }], "::tegula::pl::Scalar", "evaluate",
    (ins "::llvm::ArrayRef<::tegula::pl::Scalar>":$scalars)>,
    InterfaceMethod<[{
      True if its operands may have such elements.
    }], "bool", "takesElement", (ins "::mlir::Type":$element)>,
    InterfaceMethod<[{
      The elements it takes, in words: "floats".
    }], "::llvm::StringRef", "getElementKind">,
    StaticInterfaceMethod<[{
      What one element takes. `OpCosts.h` answers for any op.
    }], "::tegula::pl::OpCost", "getCost">
  ];
}

def Pl_InterpretOpInterface : OpInterface<"InterpretOpInterface"> {
  let cppNamespace = "::tegula::pl";
  let description = [{
    What an op means: how the reference interpreter runs it.
  }];
  let methods = [
    InterfaceMethod<[{
      Runs the op on the values of its operands and gives its results theirs.
      Fails, with a diagnostic, where the op's description names an error.
    }], "::llvm::LogicalResult", "interpret",
    (ins "::tegula::pl::Frame &":$frame)>
  ];
}

def Pl_ExpandOpInterface : OpInterface<"ExpandOpInterface"> {
  let cppNamespace = "::tegula::pl";
  let description = [{
    An op that is made of others: no target needs a rule for it.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds what the op is made of, in front of it. Gives what takes the place
      of its result; null if it has none.
    }], "::mlir::Value", "expand", (ins "::mlir::OpBuilder &":$builder)>
  ];
}

def Pl_ResultsInMemoryOpInterface : OpInterface<"ResultsInMemoryOpInterface"> {
  let cppNamespace = "::tegula::pl";
  let description = [{
    An op that gives its results in tensors made for it: those it writes. As
    source it is a call that gives what is loaded from them.
  }];
}

#endif // TEGULA_IR_PL_INTERFACES
