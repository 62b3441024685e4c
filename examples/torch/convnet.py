# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A convolutional network with residual blocks, for any number of images."""

import torch
from torch import nn
from torch.nn import functional


class Block(nn.Module):
    """Two convolutions with a skip connection."""

    def __init__(self, before: int, after: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(before, after, 3, stride, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(after)
        self.second = nn.Conv2d(after, after, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(after)
        self.around: nn.Module = nn.Identity()
        if stride != 1 or before != after:
            self.around = nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner = functional.relu(self.first_norm(self.first(x)))
        return functional.relu(self.second_norm(self.second(inner)) + self.around(x))


class ConvNet(nn.Module):
    def __init__(self, classes: int = 10) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 32, 3, padding=1, bias=False)
        self.stem_norm = nn.BatchNorm2d(32)
        self.blocks = nn.Sequential(Block(32, 32, 1), Block(32, 64, 2), Block(64, 128, 2))
        self.head = nn.Linear(128, classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        x = functional.max_pool2d(functional.relu(self.stem_norm(self.stem(images))), 2)
        x = functional.adaptive_avg_pool2d(self.blocks(x), 1)
        result: torch.Tensor = self.head(x.flatten(1))
        return result


def make() -> nn.Module:
    model = ConvNet()
    # Statistics as after training: not 0 and 1.
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            assert module.running_mean is not None and module.running_var is not None
            module.running_mean.uniform_(-0.1, 0.1)
            module.running_var.uniform_(0.5, 1.5)
    return model


def inputs(batch: int) -> tuple[torch.Tensor, ...]:
    return (torch.randn(batch, 3, 32, 32),)


DYNAMIC = ({0},)
SIZES = (5, 0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20)
