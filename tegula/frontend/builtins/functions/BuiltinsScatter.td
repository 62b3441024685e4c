// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/functions/ForOtherMachines.td"

let theme = "scatter" in {

def : Builtin<"scatter",
    (takes Named<Maybe<Tile>, ["input"]>:$x, Maybe<Any>:$dim,
           Named<Maybe<Any>, ["indexes"]>:$index, Maybe<Any>:$src,
           Maybe<Any>:$mask_pattern, Maybe<Tile>:$dst),
    "`x` with elements scattered to indices: `out[i, index[i, k]] = src[i, k]`",
    Calls<"buildScatter">> {
  // Without an axis the source stands in its place.
  let shows = [Shows<Pl_ScatterOp,
                     (of "target":$x, "axis":$dim, "source":$src),
                     "op.getAxis()">,
               Shows<Pl_ScatterOp, (of "target":$x, "source":$dim)>];
}

let hasEffect = 1 in {

def : Builtin<"mscatter",
    (takes Named<Tile, ["tile"]>:$src, Any:$idx,
           Named<Any, ["output_tensor"]>:$tensor, Maybe<Any>:$coalesce,
           Maybe<Any>:$atomic, Maybe<Axis>:$dim),
    "scatters elements or rows of a tile to a tensor at indices: flat, or "
    "along `dim`", Calls<"buildMemoryScatter">>;

def : Builtin<"scatter_update",
    (takes Shaped:$input, Maybe<Any>:$first, Maybe<Any>:$second, Maybe<Any>:$third,
           Scratch:$scratch, Maybe<Any>:$dim, Maybe<Any>:$index,
           Maybe<Any>:$src),
    "`input` with whole rows replaced at indices",
    Calls<"buildScatterUpdate">>;

} // hasEffect
} // theme
