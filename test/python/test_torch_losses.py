# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses: every reduction, labels that do not count, weights."""

import warnings

import pytest
import torch
from torch.nn import functional

from tegula.torch import FallbackWarning

WEIGHT = torch.linspace(0.1, 1, 5)
LOSSES = {
    "cross entropy": functional.cross_entropy,
    "labels that are left out": lambda x, t, reduction: functional.cross_entropy(
        x, t, ignore_index=2, reduction=reduction
    ),
    "weights": lambda x, t, reduction: functional.cross_entropy(x, t, weight=WEIGHT, reduction=reduction),
    "likelihood": functional.nll_loss,
    "huber": lambda x, t, reduction: functional.huber_loss(x, x * 2, reduction=reduction),
    "squares": lambda x, t, reduction: functional.mse_loss(x, x * 2, reduction=reduction),
}


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("loss", LOSSES)
def test_a_loss_is_reduced_as_it_is_told(loss, reduction):
    def run(x, t):
        return LOSSES[loss](x, t, reduction=reduction)

    compiled = torch.compile(run, backend="tegula", dynamic=True)
    for count in (3, 1, 17):
        x, labels = torch.randn(count, 5), torch.arange(count) % 5
        labels[1:2] = 2 if loss == "labels that are left out" else -100
        with warnings.catch_warnings():
            warnings.simplefilter("error", FallbackWarning)
            found = compiled(x, labels)
        torch.testing.assert_close(found, run(x, labels))
