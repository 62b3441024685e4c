# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors that differ in whether they require gradients, by which the extension finds where PyTorch keeps that."""

from __future__ import annotations


def make_samples() -> list[tuple]:
    """Pairs of a tensor and whether it requires gradients."""
    import torch

    with torch.inference_mode(False), torch.enable_grad():
        plain = [torch.zeros(shape) for shape in ((), (2,), (3, 2), (2, 1, 3))]
        leaves = [torch.zeros(2, requires_grad=True), torch.nn.Parameter(torch.zeros(3, 2))]
        results = [leaf * 2.0 for leaf in leaves]
    return [(tensor, False) for tensor in plain] + [(tensor, True) for tensor in (*leaves, *results)]
