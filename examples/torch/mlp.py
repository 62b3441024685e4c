# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Three layers, for any batch."""

import torch
from torch import nn


class Mlp(nn.Module):
    def __init__(self, features: int = 256, hidden: int = 1024, classes: int = 10) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(features, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, classes)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layers(x)
        return result


def make() -> nn.Module:
    return Mlp()


def inputs(batch: int) -> tuple[torch.Tensor, ...]:
    return (torch.randn(batch, 256),)


DYNAMIC = ({0},)
SIZES = (5, 0, 1, 2, 3, 4, 7, 8, 13, 16, 17, 31, 32, 33, 64, 65, 100, 128, 255, 256)
