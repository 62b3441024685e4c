// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/functions/ForOtherMachines.td"

let theme = "gather" in {

def : Builtin<"gather",
    (takes Named<Tile, ["input", "src"]>:$x, Maybe<Any>:$dim,
           Named<Maybe<Any>, ["indices"]>:$index, Maybe<Any>:$mask_pattern,
           Maybe<Dtype>:$output_dtype, Maybe<Any>:$kvalue,
           Maybe<Any>:$cmp_mode, Maybe<Any>:$out_cols, Maybe<Any>:$offset,
           Maybe<Dtype>:$count_dtype, Scratch:$tmp),
    "elements gathered at indices: `out[i, k] = x[i, index[i, k]]`; with "
    "`mask_pattern` every 2nd or 4th column, with `kvalue` the indices that "
    "compare", Calls<"buildGather">> {
  let shows = [Shows<Pl_GatherOp, (of "source":$x, "axis":$dim)>];
}

def : Builtin<"find", (takes Tile:$mask, Any:$columns),
    "the column indices where each row of the mask holds, in order, as many as "
    "`columns`, and 0 where there are no more", Calls<"buildFind">> {
  let shows = [Shows<Pl_FindOp>];
}

def : Builtin<"mgather",
    (takes Named<Shaped, ["mem"]>:$tensor, Any:$idx, Maybe<Any>:$coalesce,
           Maybe<Any>:$gather_oob, Memory:$target_memory, Scratch:$scratch,
           Maybe<Sizes>:$valid_shape),
    "elements or rows of a tensor gathered at indices; `gather_oob` says what "
    "an index out of range gives: \"undefined\" (an error), \"clamp\", "
    "\"wrap\" or \"zero\"",
    Calls<"buildMemoryGather">>;

def : Builtin<"paged_gather",
    (takes Named<Shaped, ["pool"]>:$src, Any:$indices, Any:$block_table,
           Scalar<"a size">:$block_size, Scalar<"a size">:$size,
           Scalar<"a size">:$max_indices, TileLayout:$space,
           Maybe<Scalar<"a size">>:$col_off, Flag<"false">:$is_trans,
           TileLayout:$is_b_matrix),
    "rows gathered from a pool of pages through a block table",
    Calls<"buildPagedGather">>;

def : Builtin<"gather_row",
    (takes Named<Shaped, ["dst"]>:$acc, Shaped:$src, Named<Indices, ["dst_off"]>:$dst_offset,
           Named<Indices, ["src_off"]>:$src_offset,
           Named<Indices, ["shape"]>:$shapes, Flag<"false">:$transpose,
           Maybe<Indices>:$valid_shape),
    "the tile with a window of a tensor put into it", Calls<"buildGatherRow">>;

} // theme
