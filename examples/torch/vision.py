# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small vision transformer: image patches, a class token and an encoder; for any number of images."""

import torch
from torch import nn
from torch.nn import functional


class Layer(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.attention_norm = nn.LayerNorm(width)
        self.project = nn.Linear(width, 3 * width)
        self.merge = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        self.widen = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, patches, width = x.shape
        parts = self.project(self.attention_norm(x)).view(batch, patches, 3, self.heads, width // self.heads)
        q, k, v = parts.permute(2, 0, 3, 1, 4).unbind(0)
        attended = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2)
        x = x + self.merge(attended.reshape(batch, patches, width))
        result: torch.Tensor = x + self.narrow(functional.gelu(self.widen(self.norm(x))))
        return result


class VisionTransformer(nn.Module):
    def __init__(self, width: int = 192, heads: int = 3, layers: int = 2, patch: int = 8, side: int = 64) -> None:
        super().__init__()
        self.cut = nn.Conv2d(3, width, patch, patch)
        self.answer = nn.Parameter(torch.randn(1, 1, width))
        self.positions = nn.Parameter(torch.randn(1, (side // patch) ** 2 + 1, width) * 0.1)
        self.layers = nn.Sequential(*(Layer(width, heads) for _ in range(layers)))
        self.head = nn.Linear(width, 10)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        patches = self.cut(images).flatten(2).transpose(1, 2)
        x = torch.cat([self.answer.expand(images.shape[0], -1, -1), patches], dim=1) + self.positions
        result: torch.Tensor = self.head(self.layers(x)[:, 0])
        return result


def make() -> nn.Module:
    return VisionTransformer()


def inputs(batch: int) -> tuple[torch.Tensor, ...]:
    return (torch.randn(batch, 3, 64, 64),)


DYNAMIC = ({0},)
SIZES = (5, 0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20)
