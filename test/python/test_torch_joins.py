# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Joined tensors that are joined again, used in the middle, come out twice, or have other elements: each is what eager
mode gives."""

import warnings

import pytest
import torch

import tegula.torch


def kept(k, x):
    return torch.stack([k, k * 2]), k @ k.T


def above_each_other(k, x):
    return torch.stack([torch.stack([k, k + 1]), torch.stack([k + 2, k])], 1), torch.cat([k, k], 1)


def of_one(k, x):
    return torch.cat([torch.cat([k]), k, x])


def both_ways(k, x):
    return torch.cat([torch.cat([k, k + 1], 1), torch.cat([k - 1, k.exp()], 1)], 0)


def other_elements(k, x):
    return torch.cat([k.double(), torch.cat([x, x])]), k.sum()


def comes_out_itself(k, x):
    return k, torch.stack([k, k + 1]), k[:, :1]


def part_of_a_part(k, x):
    joined = torch.stack([k, k.neg()], -1)
    return torch.cat([joined[..., :1], joined], -1)


def twice(k, x):
    joined = torch.stack([torch.stack([k, k.neg()], 2)] * 2)
    return joined, joined + 1


def many(k, x):
    return torch.stack([k] * 10), torch.cat([k, x] * 5)


def with_lists_of_nothing(k, x):
    nothing = torch.cat([k.new_zeros(0), k.new_zeros(0)])
    return torch.cat([nothing, k[:, :, None], k[:, :, None] + 1], 1), torch.cat([nothing, k, x])


FUNCTIONS = [
    kept,
    above_each_other,
    of_one,
    both_ways,
    other_elements,
    comes_out_itself,
    part_of_a_part,
    twice,
    many,
    with_lists_of_nothing,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_joined(function):
    def run(x, y):
        return function(torch.cat([x, y]), x)

    torch._dynamo.reset()
    tegula.torch.forget()
    compiled = torch.compile(run, backend="tegula", dynamic=True)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("error", tegula.torch.FallbackWarning)
        for above, below, columns in ((5, 3, 4), (0, 3, 2), (1, 1, 1), (9, 0, 5), (33, 17, 65)):
            x, y = torch.randn(above, columns), torch.randn(below, columns)
            torch.testing.assert_close(compiled(x, y), run(x, y), rtol=1e-4, atol=1e-5)
