# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Llama block: grouped-query attention, rotary positions, a gated feed-forward network; any batch and length."""

import torch
from torch import nn
from torch.nn import functional


class RmsNorm(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width).uniform_(0.5, 1.5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class LlamaBlock(nn.Module):
    frequencies: torch.Tensor

    def __init__(self, width: int = 256, heads: int = 8, shared: int = 2, inner: int = 688) -> None:
        super().__init__()
        self.heads, self.shared, self.depth = heads, shared, width // heads
        self.attention_norm = RmsNorm(width)
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, shared * self.depth, bias=False)
        self.value = nn.Linear(width, shared * self.depth, bias=False)
        self.merge = nn.Linear(width, width, bias=False)
        self.norm = RmsNorm(width)
        self.gate = nn.Linear(width, inner, bias=False)
        self.up = nn.Linear(width, inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)
        frequencies = 10000.0 ** (-torch.arange(0, self.depth, 2) / self.depth)
        self.register_buffer("frequencies", frequencies)

    def rotate(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        first, second = x.chunk(2, dim=-1)
        return x * cos + torch.cat([-second, first], dim=-1) * sin

    def split(self, x: torch.Tensor, heads: int) -> torch.Tensor:
        return x.view(x.shape[0], x.shape[1], heads, self.depth).transpose(1, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        angles = torch.outer(torch.arange(length).float(), self.frequencies)
        angles = torch.cat([angles, angles], dim=-1)
        cos, sin = angles.cos(), angles.sin()
        y = self.attention_norm(x)
        q = self.rotate(self.split(self.query(y), self.heads), cos, sin)
        k = self.rotate(self.split(self.key(y), self.shared), cos, sin)
        v = self.split(self.value(y), self.shared)
        attended = functional.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + self.merge(attended.transpose(1, 2).reshape(batch, length, width))
        y = self.norm(x)
        result: torch.Tensor = x + self.down(functional.silu(self.gate(y)) * self.up(y))
        return result


def make() -> nn.Module:
    return LlamaBlock()


def inputs(length: int) -> tuple[torch.Tensor, ...]:
    return (torch.randn(2 if length > 1 else 1, length, 256),)


DYNAMIC = ({0, 1},)
SIZES = (5, 0, 1, 2, 3, 7, 8, 13, 16, 17, 31, 32, 33, 64, 65, 100, 128, 200, 255, 256)
