# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A mixture of experts, top-2: all experts compute all tokens and unused ones have weight zero;
and the same with each expert on its own tokens only."""

import torch
from torch import nn
from torch.nn import functional


class Mixture(nn.Module):
    def __init__(self, width: int = 128, inner: int = 256, experts: int = 8, taken: int = 2) -> None:
        super().__init__()
        self.experts, self.taken = experts, taken
        self.route = nn.Linear(width, experts, bias=False)
        self.widen = nn.Parameter(torch.randn(experts, width, inner) * width**-0.5)
        self.narrow = nn.Parameter(torch.randn(experts, inner, width) * inner**-0.5)

    def weigh(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        weights, experts = torch.topk(self.route(x).softmax(dim=-1), self.taken, dim=-1)
        return weights / weights.sum(dim=-1, keepdim=True), experts

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weights, experts = self.weigh(x)
        shares = torch.zeros(x.shape[0], self.experts).scatter(1, experts, weights)
        inner = functional.silu(torch.einsum("td,edf->etf", x, self.widen))
        return torch.einsum("etf,efd,te->td", inner, self.narrow, shares)


class SparseMixture(Mixture):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weights, experts = self.weigh(x)
        y = torch.zeros_like(x)
        for expert in range(self.experts):
            token, slot = torch.where(experts == expert)
            result = functional.silu(x[token] @ self.widen[expert]) @ self.narrow[expert]
            y = y.index_add(0, token, result * weights[token, slot, None])
        return y


def make() -> nn.Module:
    return Mixture()


def inputs(tokens: int) -> tuple[torch.Tensor, ...]:
    return (torch.randn(tokens, 128),)


DYNAMIC = ({0},)
SIZES = (5, 0, 1, 2, 3, 7, 8, 13, 16, 17, 31, 32, 33, 64, 65, 100, 128, 200, 255, 256)
