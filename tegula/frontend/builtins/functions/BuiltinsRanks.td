// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

include "tegula/frontend/builtins/functions/ForOtherMachines.td"

let theme = "ranks" in {

def Pl_RankFunction : Builtin<"distributed.rank", (takes Group:$ctx),
    "the number of the rank that runs this", Calls<"buildRank">> {
  let shows = [Shows<Pl_RankOp>];
}

def Pl_RanksFunction : Builtin<"distributed.nranks", (takes Group:$ctx),
    "how many ranks there are", Calls<"buildRankCount">> {
  let shows = [Shows<Pl_RankCountOp>];
}

def : Same<"distributed.world_size", Pl_RanksFunction>;

def : Builtin<"distributed.get_comm_ctx", (takes Group:$x),
    "what `rank` and `nranks` may be given; there is nothing in it",
    Calls<"buildRankContext">>;

let hasEffect = 1 in
def Pl_AllocWindowFunction : Builtin<"distributed.alloc_window_buffer",
    (takes Named<Any, ["shape", "bytes"]>:$size, Maybe<Dtype>:$dtype,
           TileLayout:$name),
    "memory of every rank that its peers reach, all 0: so many bytes, or a "
    "shape of `dtype`; all ranks come here",
    Calls<"buildAllocWindow">> {
  let shows = [Shows<Pl_AllocWindowOp, (of "bytes":$size)>];
}

def : Same<"distributed.import_window_buffer", Pl_AllocWindowFunction>;

def : Builtin<"distributed.window",
    (takes Named<Any, ["buf"]>:$buffer, Sizes:$shape, Dtype:$dtype),
    "the first bytes of a window as a tensor", Calls<"buildWindow">> {
  let shows = [Shows<Pl_RetypeOp,
                     (of "source":$buffer, "sizes":$shape, "result":$dtype)>];
}

let hasEffect = 1 in {

def : Builtin<"distributed.notify",
    (takes Named<Any, ["signal"]>:$target, Scalar<"a rank">:$peer, Any:$offsets,
           Scalar<"the value of a signal">:$value, Maybe<Any>:$op),
    "adds to a signal (INT32) in the window of rank `peer`, or sets it with "
    "`op=pld.NotifyOp.Set`, after all that this rank wrote before",
    Calls<"buildNotify">> {
  let shows = [Shows<Pl_NotifyOp, (of "signal":$target, "indices":$offsets,
                                      "kind":$op)>];
}

def Pl_WaitFunction : Builtin<"distributed.wait",
    (takes Named<Any, ["target"]>:$signal, Any:$offsets,
           Scalar<"the value of a signal">:$expected, Maybe<Any>:$cmp),
    "waits until a signal in the window of this rank is at least what is "
    "expected, or just that with `cmp=pld.WaitCmp.Eq`", Calls<"buildWait">> {
  let shows = [Shows<Pl_WaitOp, (of "indices":$offsets, "kind":$cmp),
                     "!op.getDeferred()">];
}

def : Builtin<"distributed.defer_wait", Pl_WaitFunction.parameters,
    "as `pl.distributed.wait`, but this rank goes on, and waits at the end of "
    "what was dispatched to it", Calls<"buildDeferWait">> {
  let shows = [Shows<Pl_WaitOp, (of "indices":$offsets, "kind":$cmp),
                     "op.getDeferred()">];
}

def : Builtin<"distributed.peer",
    (takes Shaped:$window, Scalar<"a rank">:$rank, Maybe<Any>:$use),
    "the same part of the window of another rank as a tensor, for "
    "`use=\"read\"`; for `\"write\"`, and `\"update\"`, during which no other "
    "rank updates there, `pld.peer_end` hands over what was written",
    Calls<"buildPeer">> {
  let shows = [Shows<Pl_PeerOp, (of "source":$window, "peer":$rank)>];
}

def : Builtin<"distributed.peer_end", (takes Shaped:$view),
    "hands over what was written to what `pld.peer` gave",
    Calls<"buildPeerEnd">> {
  let shows = [Shows<Pl_PeerEndOp, (of "memory":$view)>];
}

def : Builtin<"distributed.meet", (takes Any:$purpose, Maybe<Any>:$numbers),
    "waits until all ranks are here, for the same purpose, a text, and with "
    "the same numbers", Calls<"buildMeet">> {
  let shows = [Shows<Pl_MeetOp>];
}

// For prelude_ranks.py.
def : Builtin<"_meet", (takes Any:$purpose, Maybe<Any>:$number,
           Maybe<Any>:$window, Maybe<Any>:$kind, Maybe<Any>:$mode),
    "waits until all ranks are at the same collective",
    Calls<"buildCollective">>;

}

def : Builtin<"_reduced", (takes Any:$lhs, Any:$rhs, Any:$op),
    "what a pld.ReduceOp makes of two tiles", Calls<"buildReduced">>;

def : Builtin<"_part", (takes Shaped:$x, Tile:$tile, Any:$offsets),
    "the window of a tensor that a tile goes to", Calls<"buildPart">>;

def : Builtin<"_peer_use", (takes Maybe<Any>:$atomic),
    "how a peer is used by what is stored there", Calls<"buildPeerUse">>;

def : Builtin<"_reduce_name", (takes Maybe<Any>:$op),
    "what a pld.ReduceOp is called", Calls<"buildReduceName">>;

} // theme
