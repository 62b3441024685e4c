// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_TYPES
#define TEGULA_IR_PL_TYPES

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "tegula/ir/ops/PlDialect.td"

class Pl_Type<string name, string typeMnemonic> : TypeDef<Pl_Dialect, name> {
  let mnemonic = typeMnemonic;
  let parameters = (ins
    ArrayRefParameter<"::tegula::pl::Dim">:$dims,
    "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    unsigned getRank() const { return getDims().size(); }
    /// True if every axis has a static bound.
    bool isBounded() const;
    /// True if every extent is known.
    bool isExact() const;
  }];
}

def Pl_TensorType : Pl_Type<"TensorView", "tensor"> {
  let summary = "a strided view of memory";
  let description = [{
    `!pl.tensor<[?, upto 8, 128], f32>`: three axes; the extent of the first is
    unknown, of the second at most 8, of the third 128. Extents, strides and
    the address are run-time values.
  }];
}

def Pl_TileType : Pl_Type<"Tile", "tile"> {
  let summary = "an immutable value with run-time extents under static bounds";
  let description = [{
    `!pl.tile<[upto 8, 128], f32>`: at most 8 rows are valid, exactly 128
    columns. An axis written `?` has no bound: such a tile is a tensor-level
    expression.
  }];
}

def Pl_Element : TypeConstraint<
    CPred<"::tegula::pl::isElementType($_self)">, "element type">;
def Pl_Scalar : Type<CPred<"::tegula::pl::isScalarType($_self)">, "scalar">;
def Pl_AnyTensor : Type<CPred<"::llvm::isa<::tegula::pl::TensorViewType>($_self)">,
                        "tensor", "::tegula::pl::TensorViewType">;
def Pl_AnyTile : Type<CPred<"::llvm::isa<::tegula::pl::TileType>($_self)">,
                      "tile", "::tegula::pl::TileType">;
def Pl_Shaped : AnyTypeOf<[Pl_AnyTensor, Pl_AnyTile], "tensor or tile">;
def Pl_Value : AnyTypeOf<[Pl_AnyTile, Pl_Scalar], "tile or scalar">;

#endif // TEGULA_IR_PL_TYPES
