# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations of random graphs: each takes two values, of which it may leave one alone."""

from collections.abc import Callable

import torch
from torch.nn import functional

# Exact operations give the same in any order of summation on the small numbers that inputs are, and questions are only
# asked of such; the others may be off by a rounding.
EXACT: dict[str, Callable] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: torch.sub(x, y, alpha=2),
    "rsub": lambda x, _: 3 - x,
    "mul": lambda x, y: x * y,
    "half": lambda x, _: x * 0.5,
    "neg": lambda x, _: -x,
    "abs": lambda x, _: x.abs(),
    "relu": lambda x, _: functional.relu(x),
    "clamp": lambda x, _: x.clamp(-1, 2),
    "maximum": lambda x, y: torch.maximum(x, y),
    "where": lambda x, y: torch.where(x > y, x, y - 1),
    "masked_fill": lambda x, y: x.masked_fill(y == 0, 2),
    "sign": lambda x, _: torch.sign(x),
    "floor": lambda x, _: torch.floor(x.float()),
    "round": lambda x, _: torch.round(x.float()),
    "floor_divide": lambda x, _: torch.div(x, 3, rounding_mode="floor"),
    "remainder": lambda x, _: torch.remainder(x, 3),
    "long": lambda x, _: x.long(),
    "float": lambda x, _: x.float(),
    "bool": lambda x, _: (x > 0).float() + (x <= 1),
    "sum": lambda x, _: x.sum(0),
    "sum, kept": lambda x, _: x.sum(-1, keepdim=True),
    "amax": lambda x, _: x.amax(-1, keepdim=True),
    "argmax": lambda x, _: x.argmax(0),
    "any": lambda x, _: x.bool().any(-1),
    "cumsum": lambda x, _: x.cumsum(0),
    "transpose": lambda x, _: x.transpose(0, -1),
    "unsqueeze": lambda x, _: x.unsqueeze(-1),
    "flatten": lambda x, _: x.flatten(),
    "expand": lambda x, _: x.unsqueeze(0).expand(3, *x.shape),
    "cat": lambda x, y: torch.cat([x, y], 0),
    "stack": lambda x, _: torch.stack([x, x + 1], -1),
    "slice": lambda x, _: x[1:],
    "slice from the end": lambda x, _: x[..., :-1],
    "every other": lambda x, _: x[::2],
    "select": lambda x, _: x[0],
    "flip": lambda x, _: x.flip(0),
    "roll": lambda x, _: x.roll(1, 0),
    "chunk": lambda x, _: x.chunk(2, -1)[0],
    "pad": lambda x, _: functional.pad(x, (1, 2)),
    "tril": lambda x, _: x.tril(),
    "sort": lambda x, _: x.sort(-1)[0],
    "topk": lambda x, _: x.float().topk(2, -1)[0],
    "gather": lambda x, _: x[torch.arange(x.shape[0]) // 2],
    "index_put": lambda x, _: x.index_put((torch.arange(x.shape[0]) // 2,), x[:1].flatten()[0]),
    "changed": lambda x, _: x.clone().mul_(2).add_(1),
    "changed in part": lambda x, _: _change(x),
    "matmul": lambda x, y: x.float() @ y.float(),
    "outer": lambda x, y: x.flatten().unsqueeze(1) * y.flatten(),
    # Views.
    "view": lambda x, _: x.view(-1),
    "narrow": lambda x, _: x.narrow(0, 0, x.shape[0] - 1),
    "permute": lambda x, _: x.permute(tuple(reversed(range(x.dim())))),
    "movedim": lambda x, _: x.movedim(0, -1),
    "squeeze": lambda x, _: x.squeeze(-1),
    "diagonal": lambda x, _: x.diagonal(),
    "split": lambda x, _: x.split(2, -1)[0],
    "unbind": lambda x, _: x.unbind(-1)[0],
    "unfold": lambda x, _: x.unfold(-1, 2, 1),
    "expand_as": lambda x, y: x.expand_as(y),
    "columns": lambda x, _: x.T if x.dim() == 2 else x.unsqueeze(0).mT,
    # In place: a value, perhaps one that is given, and what is seen through its views.
    "add_": lambda x, _: x.add_(1),
    "mul_": lambda x, _: x.mul_(2),
    "neg_": lambda x, _: x.neg_(),
    "clamp_": lambda x, _: x.clamp_(-2, 3),
    "relu_": lambda x, _: x.relu_(),
    "zero_": lambda x, _: _first(x).zero_(),
    "fill_": lambda x, _: _last(x).fill_(2),
    "copy_": lambda x, _: _first(x).copy_(_last(x).clone()),
    "set": lambda x, _: _set(x),
    "add through a view": lambda x, _: (x.transpose(0, -1).add_(1), x)[1],
    "multiply every other": lambda x, _: (x[::2].mul_(2), x)[1],
    "fill the diagonal": lambda x, _: (x.diagonal().fill_(1), x)[1],
    "index_add_": lambda x, _: x.index_add_(0, torch.arange(x.shape[0]) // 2, x.clone()),
    "masked_fill_": lambda x, _: x.masked_fill_(x > 2, 1),
    # Other types.
    "to BF16": lambda x, _: x.to(torch.bfloat16),
    "to FP16": lambda x, _: x.half(),
    "to FP64": lambda x, _: x.double(),
    "to INT8": lambda x, _: x.clamp(-100, 100).to(torch.int8),
    "to UINT8": lambda x, _: x.abs().clamp(0, 200).to(torch.uint8),
    "to INT16": lambda x, _: x.clamp(-100, 100).to(torch.int16),
    "to INT32": lambda x, _: x.clamp(-100, 100).int(),
    "to BOOL": lambda x, _: x > 1,
    "count": lambda x, _: (x > 0).sum(-1),
    "mean of truths": lambda x, _: (x > 0).float().mean(-1),
    "type as": lambda x, y: x.type_as(y),
    "avg_pool1d": lambda x, _: functional.avg_pool1d(x.float().reshape(1, 1, -1), 2),
    "max_pool1d": lambda x, _: functional.max_pool1d(x.float().reshape(1, 1, -1), 3, 2, 1),
}
ROUNDED: dict[str, Callable] = {
    "exp": lambda x, _: torch.exp(x.float().clamp(max=3)),
    "sigmoid": lambda x, _: torch.sigmoid(x.float()),
    "tanh": lambda x, _: torch.tanh(x.float()),
    "gelu": lambda x, _: functional.gelu(x.float()),
    "softmax": lambda x, _: functional.softmax(x.float(), -1),
    "layer_norm": lambda x, _: functional.layer_norm(x.float(), x.shape[-1:]),
    "mean": lambda x, _: x.float().mean(-1),
    "var": lambda x, _: x.float().var(-1, unbiased=False),
    "div": lambda x, y: x / (y.abs() + 1),
    "rsqrt": lambda x, _: torch.rsqrt(x.abs() + 1),
    "logsumexp": lambda x, _: x.float().logsumexp(-1),
    "log1p": lambda x, _: torch.log1p(x.float().abs()),
    "expm1": lambda x, _: torch.expm1(x.float().clamp(max=2)),
    "rms_norm": lambda x, _: functional.rms_norm(x.float(), x.shape[-1:]),
    "attention": lambda x, y: _attention(x.float(), y.float()),
    # Under autocast, which says what matmuls take and give.
    "autocast matmul": lambda x, y: _autocast(lambda: x.float() @ y.float()),
    "autocast in FP16": lambda x, y: _autocast(lambda: x.float() @ y.float(), torch.float16),
    "autocast softmax": lambda x, _: _autocast(lambda: functional.softmax(x.float() @ x.float().mT, -1)),
    "without autocast": lambda x, y: _autocast(lambda: _exact_region(x.float(), y.float())),
}
# Operations that ask: a rounding may change what they say.
ASK = "where masked_fill sign floor round floor_divide remainder long bool argmax any sort topk masked_fill_".split()
ASK += ["to INT8", "to UINT8", "to INT16", "to INT32", "to BOOL", "count", "mean of truths", "type as"]
# What changes a value in place, and all that share its memory.
IN_PLACE = "add_ mul_ neg_ clamp_ relu_ zero_ fill_ copy_ set index_add_ masked_fill_".split()
IN_PLACE += ["add through a view", "multiply every other", "fill the diagonal"]


def _change(x: torch.Tensor) -> torch.Tensor:
    y = x + 0
    y[0] = 1
    y[-1:] += 2
    return y


def _first(x: torch.Tensor) -> torch.Tensor:
    return x[0]


def _last(x: torch.Tensor) -> torch.Tensor:
    return x[-1]


def _set(x: torch.Tensor) -> torch.Tensor:
    x[0] = 1
    x[-1:] += 2
    return x


def _attention(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return functional.scaled_dot_product_attention(x.clamp(-2, 2), y, y)


def _autocast(compute: Callable, dtype: torch.dtype = torch.bfloat16) -> torch.Tensor:
    with torch.autocast("cpu", dtype=dtype, cache_enabled=False):
        return compute()


def _exact_region(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    with torch.autocast("cpu", enabled=False):
        return x @ y
