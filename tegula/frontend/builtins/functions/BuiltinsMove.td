// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/functions/ForOtherMachines.td"

let theme = "shapes" in {

def : Builtin<"move",
    (takes Named<Tile, ["tile"]>:$x, Memory:$target_memory, TileLayout:$blayout,
           TileLayout:$slayout, Flag<"false">:$transpose),
    "the same tile, or with `transpose` its last two axes exchanged; the "
    "compiler chooses its memory",
    Calls<"buildMove">>;

def : Builtin<"expand_clone", (takes Tile:$src, Shaped:$target),
    "`src` repeated to the shape of `target`", Calls<"buildExpandClone">>;

def : Builtin<"view",
    (takes Named<Shaped, ["tensor"]>:$x, Maybe<Sizes>:$shape,
           Maybe<Sizes>:$valid_shape, TileLayout:$layout, Maybe<Sizes>:$offset),
    "the same elements in another shape, of which `valid_shape` is valid; with "
    "`offset` a window, as `pl.slice`",
    Calls<"buildView">>;

def Pl_ReinterpretView : Builtin<"reinterpret_view",
    (takes Named<Tile, ["data"]>:$x, Dtype:$dtype, Maybe<Sizes>:$shape),
    "the same bytes as elements of another type; the last axis grows or shrinks "
    "with it", Calls<"buildReinterpret">> {
  let shows = [Shows<Pl_BitcastOp, (of "operand":$x, "element":$dtype)>];
}

def : Same<"bitcast", Pl_ReinterpretView>;

} // theme
