# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of torch's as kernels: compiled once, for every size of the axes that vary."""

from tegula.torch._artifacts import count_kernels, forget
from tegula.torch._dynamo import backend
from tegula.torch._explain import explain
from tegula.torch._export import CompiledModel, compile, export
from tegula.torch._partition import FallbackWarning
from tegula.torch._simulate import Simulation, simulate

__all__ = [
    "CompiledModel",
    "FallbackWarning",
    "Simulation",
    "backend",
    "compile",
    "count_kernels",
    "explain",
    "export",
    "forget",
    "simulate",
]
