// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/frontend/Mistake.h"

using namespace tegula;

class RanksMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(RanksMistakes, AreNamedAtTheirLocation) { expectMistake(GetParam()); }

static const Mistake mistakes[] = {
    {"SignalOfFloats",
     R"(    pl.distributed.notify(x, 0, [0, 0], 1)
    out[:] = x
)",
     R"(8:27: error: a signal is an INT32 of a window, got a tensor [?, 128] of FP32
)"},
    {"SignalOfATile",
     R"(    t = pl.full([4], dtype=pl.INT32, value=0)
    pl.distributed.wait(t, [0], 1)
    out[:] = x
)",
     R"(9:25: error: a signal is an INT32 of a window, got a tile [4] of INT32
)"},
    {"OffsetsOfAnotherRank",
     R"(    w = pl.distributed.window(pl.distributed.alloc_window_buffer(16), [4], dtype=pl.INT32)
    pl.distributed.notify(w, 0, [0, 0], 1)
    out[:] = x
)",
     R"(9:33: error: 'notify' needs 1 entries here, one for each axis, got 2
)"},
    {"UnknownNotifyOp",
     R"(    w = pl.distributed.window(pl.distributed.alloc_window_buffer(16), [4], dtype=pl.INT32)
    pl.distributed.notify(w, 0, [0], 1, op=pl.distributed.NotifyOp.Max)
    out[:] = x
)",
     R"(9:44: error: pld.NotifyOp has AtomicAdd and Set, not 'Max'
)"},
    {"NotifyOpOfAnotherKind",
     R"(    w = pl.distributed.window(pl.distributed.alloc_window_buffer(16), [4], dtype=pl.INT32)
    pl.distributed.notify(w, 0, [0], 1, op=pl.distributed.WaitCmp.Ge)
    out[:] = x
)",
     R"(9:44: error: expected one of pld.NotifyOp, got 'pl.distributed.WaitCmp.Ge'
)"},
    {"UnknownWaitCmp",
     R"(    w = pl.distributed.window(pl.distributed.alloc_window_buffer(16), [4], dtype=pl.INT32)
    pl.distributed.wait(w, [0], 1, cmp=pl.distributed.WaitCmp.Gt)
    out[:] = x
)",
     R"(9:40: error: pld.WaitCmp has Eq and Ge, not 'Gt'
)"},
    {"FractionOfASignal",
     R"(    w = pl.distributed.window(pl.distributed.alloc_window_buffer(16), [4], dtype=pl.INT32)
    pl.distributed.notify(w, 0, [0], 1.5)
    out[:] = x
)",
     R"(9:38: error: the value of a signal must be an integer, got the float 1.5
)"},
    {"PeerThatIsNoNumber",
     R"(    w = pl.distributed.window(pl.distributed.alloc_window_buffer(16), [4], dtype=pl.INT32)
    pl.distributed.notify(w, x, [0], 1)
    out[:] = x
)",
     R"(9:30: error: a rank must be an integer, got a tensor [?, 128] of FP32
)"},
    {"BytesWithADtype",
     R"(    w = pl.distributed.alloc_window_buffer(16, dtype=pl.FP32)
    out[:] = x
)",
     R"(8:44: error: 'dtype' goes with a shape; a single number counts bytes
)"},
    {"ShapeWithoutADtype",
     R"(    w = pl.distributed.alloc_window_buffer([M, 4])
    out[:] = x
)",
     R"(8:44: error: a window of a shape needs 'dtype'
)"},
    {"BytesThatAreNoNumber",
     R"(    w = pl.distributed.alloc_window_buffer(x)
    out[:] = x
)",
     R"(8:44: error: the bytes of a window must be an integer, got a tensor [?, 128] of FP32
)"},
    {"WindowOfATensor",
     R"(    w = pl.distributed.window(x, [4], dtype=pl.FP32)
    out[:] = x
)",
     R"(8:31: error: 'window' takes what alloc_window_buffer gave, got a tensor [?, 128] of FP32
)"},
    {"WindowOfATile",
     R"(    t = pl.load(x)
    w = pl.distributed.window(t, [4], dtype=pl.FP32)
    out[:] = x
)",
     R"(9:31: error: 'window' takes what alloc_window_buffer gave, got a tile [?, 128] of FP32
)"},
    {"WindowWithoutADtype",
     R"(    w = pl.distributed.window(pl.distributed.alloc_window_buffer(16), [4])
    out[:] = x
)",
     R"(8:9: error: window() missing required argument 'dtype'
)"},
    {"PeerOfATile",
     R"(    t = pl.load(x)
    out[:] = pl.distributed.peer(t, 0)
)",
     R"(9:14: error: a rank's window is a tensor, got a tile
)"},
    {"UnknownUseOfAPeer",
     R"(    out[:] = pl.distributed.peer(x, 0, use="look")
)",
     R"(8:44: error: a peer is used to "read", "write" or "update", got the string 'look'
)"},
    {"EndOfReading",
     R"(    p = pl.distributed.peer(x, 0)
    pl.distributed.peer_end(p)
    out[:] = x
)",
     R"(9:5: error: 'peer_end' takes what pld.peer gave to "write" or "update" in this function
)"},
    {"BarrierForNothing",
     R"(    pl.distributed.meet(3)
    out[:] = x
)",
     R"(8:25: error: the purpose of a barrier is a text, got the integer 3
)"},
    {"BarrierWithATensor",
     R"(    pl.distributed.meet("here", [x])
    out[:] = x
)",
     R"(8:33: error: what ranks agree on must be an integer, got a tensor [?, 128] of FP32
)"},
    {"UnknownMode",
     R"(    w = pl.distributed.window(pl.distributed.alloc_window_buffer(16), [4], dtype=pl.FP32)
    pl.distributed.allreduce(w, mode="tree")
    out[:] = x
)",
     R"(9:5: error: 'allreduce' has the modes 'mesh' and 'ring', got 'tree'
)"},
    {"UnknownReduceOp",
     R"(    w = pl.distributed.window(pl.distributed.alloc_window_buffer(16), [4], dtype=pl.FP32)
    pl.distributed.allreduce(w, op=pl.distributed.ReduceOp.Mean)
    out[:] = x
)",
     R"(9:5: error: pld.ReduceOp has Sum, Max, Min and Prod, not 'Mean'
)"},
    {"StoreOfMoreAxes",
     R"(    t = pl.full([4, 4], dtype=pl.FP32, value=0.0)
    w = pl.distributed.window(pl.distributed.alloc_window_buffer(16), [4], dtype=pl.FP32)
    pl.distributed.remote_store(t, w, 0, [0])
    out[:] = x
)",
     R"(10:5: error: cannot store a tile [4, 4] of FP32 in a tensor [4] of FP32
)"},
    {"StoreOfAnotherDtype",
     R"(    w = pl.distributed.window(pl.distributed.alloc_window_buffer(16), [M, 128], dtype=pl.INT32)
    pl.distributed.put(w, 0, x)
    out[:] = x
)",
     R"(9:5: error: cannot store a tile [?, 128] of FP32 in a tensor of INT32; write pl.cast(value, pl.INT32)
)"},
    {"PutOfATile",
     R"(    t = pl.load(x)
    pl.distributed.put(t, 0, x)
    out[:] = x
)",
     R"(9:5: error: a rank's window is a tensor, got a tile
)"},
    {"CountsOfAllToAll",
     R"(    w = pl.distributed.window(pl.distributed.alloc_window_buffer(16), [4], dtype=pl.FP32)
    pl.distributed.all_to_all_v(x, w)
    out[:] = x
)",
     R"(9:5: error: 'all_to_all_v' needs 'send_counts' and 'recv_counts'
)"},
    {"SizesThatADeviceKnows",
     R"(@pl.jit
def chip(x: pl.Tensor[[M], pl.FP32]):
    n = pl.cast(pl.read(x, [0]), pl.INT32)
    return pl.create_tensor([n], dtype=pl.FP32)
@pl.jit.host
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = chip(x, device=0)
)",
     R"(12:14: error: 'chip' is dispatched to a device, but the size of its result is known only there; let it write to a parameter
7:5: note: declared here
)"},
    {"DeviceThatIsNoNumber",
     R"(@pl.jit.incore
def chip(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[M], pl.FP32]]):
    y[:] = x
@pl.jit.host
def k(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    chip(x, out, device=x)
)",
     R"(11:25: error: a device must be an integer, got a tensor [?] of FP32
)"},
    {"WindowsOfAnotherDtype",
     R"(@pl.jit.incore
def chip(w: pl.distributed.DistributedTensor[[4], pl.FP32], y: pl.Out[pl.Tensor[[4], pl.FP32]]):
    y[:] = w
@pl.jit.host
def k(out: pl.Out[pl.Tensor[[4], pl.FP32]]):
    w = pl.distributed.window(pl.distributed.alloc_window_buffer(16), [4], dtype=pl.INT32)
    chip(w, out, device=0)
)",
     R"(12:10: error: 'w' of 'chip' holds FP32, got INT32
7:10: note: declared here
)"},
};

INSTANTIATE_TEST_SUITE_P(Frontend, RanksMistakes, testing::ValuesIn(mistakes),
                         nameOf);
