# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors that kernels cannot take, and graphs that work on such, so that eager mode has to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch._C._functorch import is_functorch_wrapped_tensor
from torch.fx import GraphModule

from tegula._errors import CallError

_GRADIENTS = "gradients are wanted; use torch.no_grad() or torch.inference_mode()"


def find_unusable(values: Iterable[Any]) -> str:
    """Why kernels cannot take one of the values; nothing if they can."""
    noted = torch.is_grad_enabled()
    for value in values:
        if not isinstance(value, torch.Tensor):
            continue
        if is_functorch_wrapped_tensor(value):
            return "it is called within torch.vmap or torch.func"
        if noted and value.requires_grad:
            return _GRADIENTS
        if value.device.type != "cpu":
            return f"a tensor is on {value.device}"
        if value.layout is not torch.strided:
            return f"a tensor is {value.layout}"
        if value.is_conj():
            return "a tensor stands for what is not in its memory: it is conjugated when it is read"
    return ""


def has_transforms(module: GraphModule) -> bool:
    """True if torch.vmap or torch.func is in the graph: tensors stand for others between some of its nodes."""
    modules = (getattr(node.target, "__module__", None) or "" for node in module.graph.nodes)
    return any(name.startswith(("torch._functorch", "torch._C._functorch")) for name in modules)


def without_gradients(value: Any) -> Any:
    """The same tensor for callers who want no gradients."""
    if not isinstance(value, torch.Tensor) or not value.requires_grad:
        return value
    if torch.is_grad_enabled():
        raise CallError(_GRADIENTS)
    return value.detach()
