// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_PL_SORT_OPS
#define TEGULA_IR_PL_SORT_OPS

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tegula/ir/ops/PlAttrs.td"
include "tegula/ir/ops/PlInterfaces.td"
include "tegula/ir/ops/PlTypes.td"

// All of these work on memory: whoever has a value puts it there first. Rows
// are the elements along one axis; the axes before it are traversed together, as
// far as all operands reach. NaN counts as greater than every number, and
// -0.0 as equal to 0.0, so the order is total.
class Pl_RowsOp<string mnemonic, list<Trait> traits = []>
    : Pl_Op<mnemonic,
            [DeclareOpInterfaceMethods<Pl_InterpretOpInterface>] # traits>;

class Pl_SortOp<string mnemonic, list<Trait> traits = []>
    : Pl_RowsOp<mnemonic, [Pl_ResultsInMemoryOpInterface] # traits>;

def Pl_ArgReduceOp : Pl_SortOp<"arg_reduce"> {
  let summary = "Where the largest or smallest element of each row is";
  let description = [{
    Of several the first; the first NaN if there is one; -1 in an empty row.
    The target has extent 1 along the axis.

    ```mlir
    pl.arg_reduce max %x axis 1 into %i : !pl.tensor<[?, 128], f32>, !pl.tensor<[?, 1], i32>
    ```
    ```python
    i = pl.row_argmax(x)
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

def Pl_SortRowsOp : Pl_SortOp<"sort_rows"> {
  let summary = "The elements of each row in order, and where they were";
  let description = [{
    Equal elements stay in the order they are in. Targets that are shorter than
    the rows get the first elements only.

    ```mlir
    pl.sort_rows %x axis 1 into %v, %i {descending} : !pl.tensor<[?, 128], f32>, !pl.tensor<[?, 128], f32>, !pl.tensor<[?, 128], i32>
    ```
    ```python
    values, indices = pl.sort(x, axis=-1, descending=True)
    values, indices = pl.topk(x, 8)
    ```
  }];
  let arguments = (ins Arg<Pl_AnyTensor, "", [MemRead]>:$source, I64Attr:$axis,
                       Arg<Pl_AnyTensor, "", [MemWrite]>:$values,
                       Arg<Pl_AnyTensor, "", [MemWrite]>:$indices,
                       UnitAttr:$descending);
  let assemblyFormat = [{
    $source `axis` $axis `into` $values `,` $indices attr-dict
    `:` type($source) `,` type($values) `,` type($indices)
  }];
  let hasVerifier = 1;
}

def Pl_SortRunsOp : Pl_SortOp<"sort_runs"> {
  let summary = "Pairs of value and index, in descending order run by run";
  let description = [{
    Each `run` elements of a row, and what is left at its end, are sorted on
    their own; equal ones keep their order. Value `j` goes to column `2 j` of
    the target and the bits of its index to the next.

    ```mlir
    pl.sort_runs 32 of %x, %i into %p : !pl.tensor<[?, 64], f32>, !pl.tensor<[?, 64], ui32>, !pl.tensor<[?, 128], f32>
    ```
    ```python
    pairs = pl.sort32(x, indices)
    ```
  }];
  let arguments = (ins I64Attr:$run, Arg<Pl_AnyTensor, "", [MemRead]>:$source,
                       Arg<Pl_AnyTensor, "", [MemRead]>:$indices,
                       Arg<Pl_AnyTensor, "", [MemWrite]>:$target);
  let assemblyFormat = [{
    $run `of` $source `,` $indices `into` $target attr-dict
    `:` type($source) `,` type($indices) `,` type($target)
  }];
  let hasVerifier = 1;
}

def Pl_MergeRunsOp : Pl_SortOp<"merge_runs", [AttrSizedOperandSegments]> {
  let summary = "Merges sorted runs of pairs of value and index";
  let description = [{
    Takes the pair with the greatest value from the fronts of the runs, of equal
    ones the earliest run's, until none is left. Several sources are one run
    each. A single source consists of runs of `length` columns, two for each
    pair, and every four of them are merged; a run has at least one pair.

    ```mlir
    pl.merge_runs %p length %n into %q : !pl.tensor<[?, 256], f32> into !pl.tensor<[?, 256], f32>
    ```
    ```python
    pairs = pl.mrgsort(pairs, block_len=64)
    ```
  }];
  let arguments = (ins Arg<Variadic<Pl_AnyTensor>, "", [MemRead]>:$sources,
                       Optional<Index>:$length,
                       Arg<Pl_AnyTensor, "", [MemWrite]>:$target);
  let assemblyFormat = [{
    $sources (`length` $length^)? `into` $target attr-dict
    `:` type($sources) `into` type($target)
  }];
  let hasVerifier = 1;
}

def Pl_RunningSumOp : Pl_RowsOp<"running_sum"> {
  let summary = "What each element of a row and all before it sum up to";
  let description = [{
    What pl.scan is of sums that need no rounding besides their own: of integers
    and floats of 32 or 64 bits. Which elements are added first is not said.

    ```mlir
    pl.running_sum %x axis 1 into %y : !pl.tensor<[?, 128], f32>, !pl.tensor<[?, 128], f32>
    ```
  }];
  let arguments = (ins Arg<Pl_AnyTensor, "", [MemRead]>:$source, I64Attr:$axis,
                       Arg<Pl_AnyTensor, "", [MemWrite]>:$target);
  let assemblyFormat = [{
    $source `axis` $axis `into` $target attr-dict
    `:` type($source) `,` type($target)
  }];
  let extraClassDeclaration = [{
    /// True for the types that are summed up so.
    static bool isSummed(::mlir::Type element);
  }];
  let hasVerifier = 1;
}

// The two below are what gathers and scatters along an axis are on memory. An
// axis of the indices, or of what is put, that is exactly 1 long stands for all
// positions. An index out of range is a run-time error of the call.

def Pl_PickOp : Pl_RowsOp<"pick"> {
  let summary = "Elements of a tensor, picked by indices along an axis";
  let description = [{
    The element at `[.., k, ..]` of the target becomes the one of `source` at
    the same indices, but with `index[.., k, ..]` along `axis`, as far as all
    tensors reach.

    ```mlir
    pl.pick %x[%i] axis 1 into %y : !pl.tensor<[?, 128], f32>, !pl.tensor<[?, 4], i32>, !pl.tensor<[?, 4], f32>
    ```
  }];
  let arguments = (ins Arg<Pl_AnyTensor, "", [MemRead]>:$source,
                       Arg<Pl_AnyTensor, "", [MemRead]>:$index, I64Attr:$axis,
                       Arg<Pl_AnyTensor, "", [MemWrite]>:$target);
  let assemblyFormat = [{
    $source `[` $index `]` `axis` $axis `into` $target attr-dict
    `:` type($source) `,` type($index) `,` type($target)
  }];
  let hasVerifier = 1;
}

def Pl_PutOp : Pl_RowsOp<"put"> {
  let summary = "Elements put into a tensor, by indices along an axis";
  let description = [{
    The element at `[.., k, ..]` of `source` goes to the same indices of the
    target, but with `index[.., k, ..]` along `axis`, as far as all tensors
    reach. Where two go to one index, the last stays; with `add` each is added
    to what is there.

    ```mlir
    pl.put %s into %y[%i] axis 0 add : !pl.tensor<[?, 64], f32>, !pl.tensor<[9, 64], f32>, !pl.tensor<[?, 1], i64>
    ```
  }];
  let arguments = (ins Arg<Pl_AnyTensor, "", [MemRead]>:$source,
                       Arg<Pl_AnyTensor, "", [MemRead, MemWrite]>:$target,
                       Arg<Pl_AnyTensor, "", [MemRead]>:$index, I64Attr:$axis,
                       UnitAttr:$add);
  let assemblyFormat = [{
    $source `into` $target `[` $index `]` `axis` $axis (`add` $add^)? attr-dict
    `:` type($source) `,` type($target) `,` type($index)
  }];
  let hasVerifier = 1;
}

#endif // TEGULA_IR_PL_SORT_OPS
