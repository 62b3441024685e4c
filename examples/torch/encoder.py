# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A BERT-like encoder with an attention mask, for any batch and length."""

import torch
from torch import nn
from torch.nn import functional


class Layer(nn.Module):
    def __init__(self, width: int, heads: int, inner: int) -> None:
        super().__init__()
        self.heads = heads
        self.project = nn.Linear(width, 3 * width)
        self.merge = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width)
        self.widen = nn.Linear(width, inner)
        self.narrow = nn.Linear(inner, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        parts = self.project(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = parts.unbind(0)
        attended = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.attention_norm(x + self.merge(attended.transpose(1, 2).reshape(batch, length, width)))
        result: torch.Tensor = self.norm(x + self.narrow(functional.gelu(self.widen(x))))
        return result


class Encoder(nn.Module):
    def __init__(
        self, layers: int = 2, width: int = 256, heads: int = 4, words: int = 1000, longest: int = 512
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.positions = nn.Embedding(longest, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(Layer(width, heads, 4 * width) for _ in range(layers))

    def forward(self, ids: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        x = self.norm(self.words(ids) + self.positions(torch.arange(ids.shape[1])))
        mask = (counts[:, None, None, :] - 1.0) * 1e9
        for layer in self.layers:
            x = layer(x, mask)
        result: torch.Tensor = x
        return result


def make() -> nn.Module:
    return Encoder()


def inputs(length: int) -> tuple[torch.Tensor, ...]:
    batch = 2 if length > 1 else 1
    counts = torch.ones(batch, length)
    counts[:, length - length // 3 :] = 0
    return torch.randint(0, 1000, (batch, length)), counts


DYNAMIC = ({0, 1}, {0, 1})
SIZES = (5, 0, 1, 2, 3, 7, 8, 13, 16, 17, 31, 32, 33, 64, 65, 100, 128, 200, 255, 256)
