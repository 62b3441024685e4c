// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/functions/ForOtherMachines.td"

let theme = "creation" in {

def Pl_CreateTensor : Builtin<"create_tensor",
    (takes Sizes:$shape, Dtype:$dtype, TileLayout:$layout, Schedule:$manual_dep,
           Maybe<Any>:$init_value, TileLayout:$memory_type),
    "memory of that shape for the length of the call; `init_value` fills it, "
    "otherwise it must be written before it is read",
    Calls<"buildCreateTensor">> {
  let shows = [Shows<Pl_CreateTensorOp, (of "sizes":$shape, "result":$dtype)>];
}

def Pl_CreateTile : Builtin<"create_tile",
    (takes Sizes:$shape, Dtype:$dtype, Memory:$target_memory,
           TileLayout:$transpose, TileLayout:$flat_layout, TileLayout:$compact),
    "a tile of zeros", Calls<"buildCreateTile">>;

def : Same<"create", Pl_CreateTile,
           "; `pl.tensor.create` is `pl.create_tensor`">;

def : Builtin<"create_l1",
    (takes Sizes:$shape, Dtype:$dtype, TileLayout:$transpose),
    "as `pl.create_tile`", Calls<"buildCreateTile">>;

def : Builtin<"create_tile_buffers",
    (takes Scalar<"a number of tiles">:$count, Sizes:$shape, Dtype:$dtype,
           Memory:$target_memory),
    "as many tiles of zeros, of which `buffers[i]` is one",
    Calls<"buildTileBuffers">>;

def : Builtin<"full", (takes Sizes:$shape, Dtype:$dtype, Any:$value),
    "a tile with one value everywhere", Calls<"buildFull">> {
  let shows = [Shows<Pl_FullOp, (of "sizes":$shape, "result":$dtype)>,
               Shows<Pl_ArangeOp,
                     (of "start":$value, "sizes":$shape, "result":$dtype),
                     "isColumn(op)">];
}

def Pl_Arange : Builtin<"arange",
    (takes Any:$start, Sizes:$shape, Maybe<Dtype>:$dtype,
           Flag<"false">:$descending, Scratch:$tmp),
    "rows that count up from `start`, or down with `descending`, and columns "
    "where a row is one long; `INT32` unless `dtype` says otherwise",
    Calls<"buildArange">> {
  let shows = [Shows<Pl_ArangeOp, (of "sizes":$shape, "result":$dtype),
                     "!isColumn(op)">];
}

def : Same<"ci", Pl_Arange>;

def : Builtin<"const", (takes Any:$value, Dtype:$dtype),
    "a scalar with a type", Calls<"buildConst">>;

def : Builtin<"dynamic", (takes Any:$name),
    "a dimension that the call binds; assigned to a name outside the kernel or "
    "at the top of its body", Calls<"buildDynamic">>;

def : Builtin<"expands", (takes Shaped:$target, Any:$scalar),
    "a scalar in the shape and type of `target`", Calls<"buildExpands">>;

} // theme
