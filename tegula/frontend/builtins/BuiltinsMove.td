// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/Builtin.td"

let theme = "shapes" in {

def : Builtin<"move",
    (takes Named<Tile, ["tile"]>:$x, Ignored:$target_memory, Ignored:$blayout,
           Ignored:$slayout),
    "the same tile; where it lies is the compiler's business",
    Calls<"buildMove">>;

def : Builtin<"expand_clone", (takes Tile:$src, Shaped:$target),
    "`src` repeated to the shape of `target`", Calls<"buildExpandClone">>;

def : Builtin<"extract",
    (takes Tile:$src, Named<Number<"the row">, ["index_row"]>:$row,
           Named<Number<"the column">, ["index_col"]>:$col, Indices:$shape,
           Ignored:$target_memory),
    "a window of a tile", Calls<"buildExtract">>;

def : Builtin<"transpose_view", (takes Named<Tile, ["tile"]>:$x),
    "the last two axes exchanged", Calls<"buildTransposeView">>;

def : Builtin<"view",
    (takes Named<Shaped, ["tensor"]>:$x, Maybe<Sizes>:$shape,
           Maybe<Indices>:$valid_shape, Ignored:$layout),
    "the same elements in another shape, of which `valid_shape` is valid",
    Calls<"buildView">>;

def Pl_ReinterpretView : Builtin<"reinterpret_view",
    (takes Named<Tile, ["data"]>:$x, Dtype:$dtype, Maybe<Sizes>:$shape),
    "the same bytes as elements of another type; the last axis grows or shrinks "
    "with it", Calls<"buildReinterpret">>;

def : Same<"bitcast", Pl_ReinterpretView>;

} // theme
