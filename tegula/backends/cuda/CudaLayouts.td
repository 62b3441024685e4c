// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_BACKENDS_CUDA_LAYOUTS
#define TEGULA_BACKENDS_CUDA_LAYOUTS

include "mlir/IR/EnumAttr.td"
include "tegula/backends/cuda/CudaAttrs.td"

// Which thread of a block holds which elements of a tile, and in which of its
// registers. Sizes are powers of two; a tile of another shape is held as the
// next larger one, whose registers beyond the tile stay unused. Where a tile is
// smaller than a layout reaches, several threads hold the same element. So one
// layout serves a tile, its rows and its columns.
class Cuda_LayoutAttr<string name, string word>
    : AttrDef<Cuda_Dialect, name # "Layout"> {
  let mnemonic = word;
  let genVerifyDecl = 1;
}

def Cuda_BlockedLayoutAttr : Cuda_LayoutAttr<"Blocked", "blocked"> {
  let summary = "Neighbouring threads hold neighbouring blocks of elements";
  let description = [{
    For each axis: how many elements next to each other a thread holds, how many
    lanes of a warp, and how many warps are side by side. The last axis is the
    fastest. What is larger than all of them together is held in more registers.

    `#cuda.blocked<elements = [1, 2], lanes = [2, 16], warps = [2, 1]>` of a tile
    of 4 x 32, the number of the thread:

    ```
              column 0 1   2 3   ...  30 31
      row 0          0 0   1 1        15 15
      row 1         16 16 17 17       31 31
      row 2         32 32 33 33       47 47
      row 3         48 48 49 49       63 63
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$elements,
                        ArrayRefParameter<"int64_t">:$lanes,
                        ArrayRefParameter<"int64_t">:$warps);
  let assemblyFormat = [{
    `<` `elements` `=` `[` $elements `]` `,` `lanes` `=` `[` $lanes `]` `,`
        `warps` `=` `[` $warps `]` `>`
  }];
}

def Cuda_MmaLayoutAttr : Cuda_LayoutAttr<"Mma", "mma"> {
  let summary = "The accumulator of mma.sync.m16n8";
  let description = [{
    Of each 16 x 8 elements lane `4 * g + c` of a warp holds rows `g` and
    `g + 8`, columns `2 * c` and `2 * c + 1`. Warps are side by side as `warps`
    says; then all of it repeats.

    ```
              column 0 1  2 3  4 5  6 7
      row 0          0 0  1 1  2 2  3 3     the number of the lane
      row 1          4 4  5 5  6 6  7 7
      ...
      row 8          0 0  1 1  2 2  3 3
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$warps);
  let assemblyFormat = "`<` `warps` `=` `[` $warps `]` `>`";
}

def Cuda_MatmulOperand
    : I32EnumAttr<"MatmulOperand", "an operand of a matmul",
                  [I32EnumAttrCase<"Lhs", 0, "lhs">,
                   I32EnumAttrCase<"Rhs", 1, "rhs">]> {
  let cppNamespace = "::tegula::cuda";
}

def Cuda_DotOperandLayoutAttr : Cuda_LayoutAttr<"DotOperand", "dot_operand"> {
  let summary = "An operand of mma.sync.m16n8";
  let description = [{
    As the instruction wants it whose accumulator is `parent`. Of each 16 x 16
    elements of the left one, lane `4 * g + c` holds rows `g` and `g + 8`, columns
    `2 * c`, `2 * c + 1`, `2 * c + 8` and `2 * c + 9`: two accumulators side by
    side. Of each 16 x 8 of the right one it holds these rows of column `g`.
    Warps side by side along the other axis hold the same.

    That is for elements of 16 bits. An instruction sums up 32 bytes of each row
    and column, whatever elements they are: for those of `bits`, a lane has the
    elements of a word where it has two here.

    ```mlir
    #cuda.dot_operand<lhs, <warps = [4, 1]>, bits = 8>
    ```
  }];
  let parameters = (ins EnumParameter<Cuda_MatmulOperand>:$operand,
                        "::tegula::cuda::MmaLayoutAttr":$parent,
                        DefaultValuedParameter<"int64_t", "16">:$bits);
  let assemblyFormat =
      "`<` $operand `,` $parent (`,` `bits` `=` $bits^)? `>`";
}

def Cuda_SharedOperandLayoutAttr
    : Cuda_LayoutAttr<"SharedOperand", "shared_operand"> {
  let summary = "An operand that wgmma reads from shared memory";
  let description = [{
    No thread holds it: four warps multiply what lies in shared memory, in boxes
    of 128 bytes for each row. Boxes follow each other where rows are longer.
    The lhs of wgmma may be in registers as well: then it is a `dot_operand`.

    ```mlir
    %b = cuda.convert_layout %v : !pl.tile<[64, 128], bf16> to #cuda.shared_operand<rhs>
    ```
  }];
  let parameters = (ins EnumParameter<Cuda_MatmulOperand>:$operand);
  let assemblyFormat = "`<` $operand `>`";
}

def Cuda_FmaOperandLayoutAttr : Cuda_LayoutAttr<"FmaOperand", "fma_operand"> {
  let summary = "An operand that multiply-adds read from shared memory";
  let description = [{
    No thread holds it: threads multiply what lies in shared memory, a few rows
    or columns of it at a time, for elements that tensor cores do not multiply.
    The accumulator is `blocked`.

    ```mlir
    %b = cuda.convert_layout %v : !pl.tile<[32, 128], f32> to #cuda.fma_operand<rhs>
    ```
  }];
  let parameters = (ins EnumParameter<Cuda_MatmulOperand>:$operand);
  let assemblyFormat = "`<` $operand `>`";
}

def Cuda_SliceLayoutAttr : Cuda_LayoutAttr<"Slice", "slice"> {
  let summary = "A layout without one of its axes";
  let description = [{
    Of what is held as `parent`, the elements at 0 along the axis.

    ```mlir
    #cuda.slice<1, #cuda.mma<warps = [4, 1]>>
    ```
  }];
  let parameters = (ins "int64_t":$axis, "::mlir::Attribute":$parent);
  let assemblyFormat = "`<` $axis `,` $parent `>`";
}

#endif // TEGULA_BACKENDS_CUDA_LAYOUTS
