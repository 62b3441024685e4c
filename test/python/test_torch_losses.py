# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses: every reduction, labels that do not count, weights, labels that are smoothed."""

import types
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
def test_a_loss_is_reduced_as_asked(loss, reduction):
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


# Of x, y, z, probabilities p and q, truths b as numbers, labels t and weights w.
MORE = {
    "smoothed": lambda a, r: functional.cross_entropy(a.x, a.t, label_smoothing=0.1, reduction=r),
    "smoothed, weights": lambda a, r: functional.cross_entropy(a.x, a.t, a.w, label_smoothing=0.1, reduction=r),
    "smoothed, left out": lambda a, r: functional.cross_entropy(
        a.x, a.t, ignore_index=2, label_smoothing=0.1, reduction=r
    ),
    "labels that are probabilities": lambda a, r: functional.cross_entropy(
        a.x, a.p, a.w, label_smoothing=0.2, reduction=r
    ),
    "hinge": lambda a, r: functional.hinge_embedding_loss(a.x, a.b * 2 - 1, margin=0.3, reduction=r),
    "ranking": lambda a, r: functional.margin_ranking_loss(a.x, a.y, a.b * 2 - 1, margin=0.2, reduction=r),
    "many labels": lambda a, r: functional.multilabel_soft_margin_loss(a.x, a.b, a.w, reduction=r),
    "soft margin": lambda a, r: functional.soft_margin_loss(a.x, a.b * 2 - 1, reduction=r),
    "triplets": lambda a, r: functional.triplet_margin_loss(a.x, a.y, a.z, swap=True, margin=0.4, reduction=r),
    "cosines": lambda a, r: functional.cosine_embedding_loss(a.x, a.y, a.b[:, 0] * 2 - 1, margin=0.1, reduction=r),
    "counts": lambda a, r: functional.poisson_nll_loss(a.x, a.q * 5, reduction=r),
    "counts, whole": lambda a, r: functional.poisson_nll_loss(a.q, a.p * 9, log_input=False, full=True, reduction=r),
    "normal": lambda a, r: functional.gaussian_nll_loss(a.x, a.y, a.q, full=True, reduction=r),
    "divergence": lambda a, r: functional.kl_div(a.x.log_softmax(1), a.p, reduction=r),
    "divergence of logarithms": lambda a, r: functional.kl_div(
        a.x.log_softmax(1), a.y.log_softmax(1), log_target=True, reduction=r
    ),
    "huber": lambda a, r: functional.huber_loss(a.x, a.y, delta=0.6, reduction=r),
    "smooth": lambda a, r: functional.smooth_l1_loss(a.x, a.y, beta=0.6, reduction=r),
    "probabilities": lambda a, r: functional.binary_cross_entropy(a.q, a.b, a.w, reduction=r),
    "logits": lambda a, r: functional.binary_cross_entropy_with_logits(a.x, a.b, a.w, pos_weight=a.w * 2, reduction=r),
}
# They run in eager mode: what torch takes them apart into counts labels that do not count, or differs for no rows.
LEFT = {
    "multi_margin_loss": lambda a, r: functional.multi_margin_loss(a.x, a.t, weight=a.w, reduction=r),
    "multilabel_margin_loss": lambda a, r: functional.multilabel_margin_loss(a.x, a.many, reduction=r),
}


def make(count):
    """Rows of five; that there are five is known."""
    x, y, z, p, q = (torch.randn(count, 5) for _ in range(5))
    many = torch.tensor([3, 0, -1, 1, 2]).repeat(count, 1)
    given = {"x": x, "y": y, "z": z, "p": p.softmax(1), "q": q.sigmoid(), "b": (z > 0).float(), "many": many}
    given.update(t=torch.arange(count) % 5, w=WEIGHT)
    for value in given.values():
        for axis in range(1, value.dim()):
            torch._dynamo.mark_static(value, axis)
    return given


def run_all(loss, tensors):
    arguments = types.SimpleNamespace(**tensors)
    return tuple(loss(arguments, reduction) for reduction in ("mean", "sum", "none"))


@pytest.mark.parametrize("name", [*MORE, *LEFT])
def test_further_losses(name):
    torch._dynamo.reset()
    loss = MORE.get(name) or LEFT[name]
    compiled = torch.compile(lambda tensors: run_all(loss, tensors), backend="tegula", dynamic=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for count in (3, 1, 17) if name in LEFT else (3, 0, 1, 17):
            tensors = make(count)
            torch.testing.assert_close(compiled(tensors), run_all(loss, tensors), equal_nan=True)
    messages = [str(entry.message) for entry in caught if entry.category is FallbackWarning]
    assert all(f"aten.{name}" in message for message in messages) and bool(messages) == (name in LEFT)
