// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/functions/ForOtherMachines.td"

let theme = "memory" in {

def : Builtin<"load",
    (takes Any:$tensor, Named<Maybe<Indices>, ["offset"]>:$offsets,
           Named<Maybe<Sizes>, ["shape"]>:$shapes,
           Named<Maybe<Sizes>, ["valid_shapes"]>:$valid_shape,
           Memory:$target_memory, Clamp:$clamp, Flag<"false">:$transpose,
           Cache:$cache),
    "a window of a tensor or tile as a tile, or all of it; `valid_shape` takes less of "
    "the window, `transpose` exchanges the last two axes of the tile", Calls<"buildLoad">>;

let hasEffect = 1 in
def Pl_Store : Builtin<"store",
    (takes Any:$tile, Named<Indices, ["offset"]>:$offsets,
           Named<Any, ["output_tensor"]>:$tensor, Maybe<Any>:$shapes,
           Maybe<Any>:$atomic, Schedule:$st_phase, Maybe<Any>:$pre_quant,
           Flag<"false">:$pre_relu),
    "writes a tile, or as much of it as `shapes` says, to a tensor at the "
    "offsets, or adds it with `atomic=pl.AtomicType.Add`; the tensor may also stand "
    "behind `shapes`; what lies beyond the "
    "edge is not written; with `pre_relu` what is below 0 becomes 0, then "
    "`pre_quant` scales it, and it is rounded to the type of the tensor",
    Calls<"buildStore">>;

def : Same<"l0c_store", Pl_Store>;

let hasEffect = 1 in
def : Builtin<"copy",
    (takes Any:$dst, Shaped:$src, Maybe<Indices>:$dst_offsets,
           Maybe<Indices>:$src_offsets, Maybe<Sizes>:$shapes,
           Memory:$source_memory, Memory:$target_memory),
    "writes a window of one tensor to another, at its beginning unless offsets "
    "say otherwise; all of `src` without `shapes`", Calls<"buildCopy">>;

def : Builtin<"read", 
    (takes Named<Shaped, ["tile", "tensor", "src"]>:$x,
           Named<Any, ["offset"]>:$indices),
    "one element as a scalar, as `x[i, j]`; a single integer counts the "
    "elements of all axes", Calls<"buildRead">>;

let hasEffect = 1 in
def : Builtin<"write", 
    (takes Named<Shaped, ["tile", "tensor", "dst"]>:$x,
           Named<Any, ["offset"]>:$indices, Any:$value),
    "sets one element, as `x[i, j] = value`; a single integer counts the "
    "elements of all axes", Calls<"buildWrite">>;

def : Builtin<"slice",
    (takes ShapedSubject:$x, Sizes:$shape, Indices:$offset,
           Maybe<Sizes>:$valid_shape, Maybe<Any>:$drop_dims,
           Maybe<Any>:$pad_value, Clamp:$clamp, Memory:$target_memory),
    "a window: of a tensor a view, of a tile a part; `drop_dims` lists axes of "
    "1 to leave out; with `pad_value` a tile of that shape, filled with it "
    "where nothing is valid", Calls<"buildSlice">>;

let hasEffect = 1 in
def : Builtin<"assemble",
    (takes Shaped:$target, Any:$source, Indices:$offset,
           Maybe<Sizes>:$shapes, Maybe<Any>:$atomic, Maybe<Any>:$drop_dims,
           Maybe<Any>:$pre_quant, Flag<"false">:$pre_relu),
    "writes a window of a tensor; of a tile, the tile with that part replaced, "
    "which must lie inside along the axes in `drop_dims`; `shapes`, `pre_quant` "
    "and `pre_relu` as for `pl.store`",
    Calls<"buildAssemble">>;

} // theme
