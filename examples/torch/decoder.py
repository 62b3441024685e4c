# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A GPT-like decoder with a key-value cache, for any number of positions; and a loop that
generates tokens with it."""

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional

LAYERS, HEADS, WIDTH, WORDS = 2, 4, 256, 1000


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(WIDTH)
        self.project = nn.Linear(WIDTH, 3 * WIDTH)
        self.merge = nn.Linear(WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.widen = nn.Linear(WIDTH, 4 * WIDTH)
        self.narrow = nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: torch.Tensor, past: torch.Tensor, may_see: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        batch, length, width = x.shape
        parts = self.project(self.attention_norm(x)).view(batch, length, 3, HEADS, width // HEADS)
        q, k, v = parts.permute(2, 0, 3, 1, 4).unbind(0)
        k = torch.cat([past[0], k], dim=2)
        v = torch.cat([past[1], v], dim=2)
        attended = functional.scaled_dot_product_attention(q, k, v, attn_mask=may_see)
        x = x + self.merge(attended.transpose(1, 2).reshape(batch, length, width))
        x = x + self.narrow(functional.gelu(self.widen(self.norm(x)), approximate="tanh"))
        return x, torch.stack([k, v])


class Decoder(nn.Module):
    def __init__(self, longest: int = 1024) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.positions = nn.Embedding(longest, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.head = nn.Linear(WIDTH, WORDS, bias=False)

    def forward(self, ids: torch.Tensor, past: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """`past` is [layer, keys or values, batch, head, position, width]; the returned cache is longer by the ids."""
        before, length = past.shape[4], ids.shape[1]
        here = torch.arange(before, before + length)
        x = self.words(ids) + self.positions(here)
        may_see = torch.arange(before + length)[None, :] <= here[:, None]
        grown = []
        for number, layer in enumerate(self.layers):
            x, kept = layer(x, past[number], may_see)
            grown.append(kept)
        return self.head(self.norm(x)), torch.stack(grown)


def make() -> nn.Module:
    return Decoder()


def empty_past(batch: int, length: int = 0) -> torch.Tensor:
    return torch.randn(LAYERS, 2, batch, HEADS, length, WIDTH // HEADS)


def inputs(before: int) -> tuple[torch.Tensor, ...]:
    return torch.randint(0, WORDS, (2, 3)), empty_past(2, before)


def generate(step: Callable[..., tuple[torch.Tensor, torch.Tensor]], ids: torch.Tensor, count: int) -> torch.Tensor:
    """Appends the likeliest token `count` times; `step` is the model, or the compiled model."""
    past, new = empty_past(ids.shape[0]), ids
    for _ in range(count):
        logits, past = step(new, past)
        new = logits[:, -1:].argmax(-1)
        ids = torch.cat([ids, new], dim=1)
    return ids


DYNAMIC = ({0, 1}, {2, 4})
SIZES = (5, 0, 1, 2, 3, 7, 8, 13, 16, 17, 31, 32, 33, 64, 65, 100, 128, 200, 255, 256)
