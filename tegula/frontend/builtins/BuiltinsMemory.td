// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/ForOtherMachines.td"

let theme = "memory" in {

def : Builtin<"load",
    (takes Any:$tensor, Named<Maybe<Indices>, ["offset"]>:$offsets,
           Named<Maybe<Extents>, ["shape"]>:$shapes,
           Named<Maybe<Extents>, ["valid_shapes"]>:$valid_shape,
           Place:$target_memory, Clamp:$clamp),
    "a window of a tensor as a tile, or all of it; `valid_shape` takes less of "
    "the window", Calls<"buildLoad">>;

let hasEffect = 1 in
def : Builtin<"store",
    (takes Any:$tile, Named<Indices, ["offset"]>:$offsets,
           Named<Any, ["output_tensor"]>:$tensor, Clamp:$shapes,
           Maybe<Any>:$atomic),
    "writes a tile to a tensor at the offsets, or adds it with "
    "`atomic=pl.AtomicType.Add`; what lies beyond the edge is not written",
    Calls<"buildStore">>;

def : Builtin<"read", (takes Shaped:$x, Indices:$indices),
    "one element as a scalar, as `x[i, j]`", Calls<"buildRead">>;

let hasEffect = 1 in
def : Builtin<"write", (takes Any:$x, Indices:$indices, Any:$value),
    "sets one element of a tensor, as `x[i, j] = value`", Calls<"buildWrite">>;

def : Builtin<"slice",
    (takes Shaped:$x, Extents:$shape, Indices:$offset,
           Maybe<Extents>:$valid_shape, Maybe<Any>:$drop_dims,
           Maybe<Any>:$pad_value, Clamp:$clamp),
    "a window: of a tensor a view, of a tile a part; `drop_dims` lists axes of "
    "1 to leave out; with `pad_value` a tile of that shape, filled with it "
    "where nothing is valid", Calls<"buildSlice">>;

let hasEffect = 1 in
def : Builtin<"assemble",
    (takes Shaped:$target, Any:$source, Indices:$offset,
           Maybe<Extents>:$shapes, Maybe<Any>:$atomic, Maybe<Any>:$drop_dims),
    "writes a window of a tensor; of a tile, the tile with that part replaced, "
    "which must lie inside along the axes in `drop_dims`",
    Calls<"buildAssemble">>;

} // theme
