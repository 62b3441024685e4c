# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program over ranks as a class."""

import tegula.language as pl
import tegula.language.distributed as pld

NR = pl.dynamic("NR")
SIZE = pl.dynamic("SIZE")


@pl.program
class Program:
    @pl.function(type=pl.FunctionType.InCore)
    def step(
        self,
        x: pl.Tensor[[SIZE], pl.FP32],
        y: pl.Out[pl.Tensor[[SIZE], pl.FP32]],
        w: pl.InOut[pld.DistributedTensor[[SIZE], pl.FP32]],
    ) -> pl.Tensor[[SIZE], pl.FP32]:
        pld.tensor.put(w, peer=pld.rank(pld.get_comm_ctx(w)), src=x)
        y[:] = w * 2.0
        return y

    @pl.function(type=pl.FunctionType.Orchestration)
    def chip_orch(
        self,
        x: pl.Tensor[[SIZE], pl.FP32],
        y: pl.Out[pl.Tensor[[SIZE], pl.FP32]],
        w: pl.InOut[pld.DistributedTensor[[SIZE], pl.FP32]],
    ) -> pl.Tensor[[SIZE], pl.FP32]:
        y = self.step(x, y, w)
        return y

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host_orch(
        self, x: pl.Tensor[[NR, SIZE], pl.FP32], y: pl.Out[pl.Tensor[[NR, SIZE], pl.FP32]]
    ) -> pl.Tensor[[NR, SIZE], pl.FP32]:
        buf = pld.alloc_window_buffer(SIZE * 4)
        for r in pl.range(pld.world_size()):
            w = pld.window(buf, [SIZE], dtype=pl.FP32)
            out, tid = pl.submit(self.chip_orch, x[r], y[r], w, device=r)
            self.chip_orch(out, y[r], w, device=r)
        return y
