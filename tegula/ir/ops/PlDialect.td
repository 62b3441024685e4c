// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_DIALECT
#define TEGULA_IR_PL_DIALECT

include "mlir/IR/OpBase.td"

def Pl_Dialect : Dialect {
  let name = "pl";
  let cppNamespace = "::tegula::pl";
  let summary = "Tile programs: strided tensors in memory, tiles as values";
  let description = [{
    A *tensor* is a strided view of memory whose extents may be run-time values.
    A *tile* is an immutable value; its run-time extents are its valid region
    and never exceed the static bounds in its type. Loads and stores connect
    the two. A tile with an unbounded axis is a tensor-level expression, which
    `tegula-tile-tensor-ops` turns into loops over bounded tiles.

    Functions are `func.func` with a `pl.kind`; their arguments carry
    `pl.name` and `pl.dir`. The extents of a function's tensor arguments are
    bound by `pl.bind` at the top of its body.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// Register the families that are not in PlOps.h.
    void addIndexOps();
    void addRequireOps();
    void addRankOps();
    void addSortOps();
  }];
}

class Pl_Op<string mnemonic, list<Trait> traits = []>
    : Op<Pl_Dialect, mnemonic, traits>;

#endif // TEGULA_IR_PL_DIALECT
