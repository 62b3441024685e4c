# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# %% [markdown]
# # Calling from PyTorch
#
# PyTorch tensors are passed through DLPack, without a copy, with any strides.

# %%
import torch

import tegula
import tegula.language as pl

T = pl.dynamic("TOKENS")
HIDDEN = 128


@pl.jit
def swiglu(
    gate: pl.Tensor[[T, HIDDEN], pl.BF16],
    up: pl.Tensor[[T, HIDDEN], pl.BF16],
    out: pl.Out[pl.Tensor[[T, HIDDEN], pl.BF16]],
) -> pl.Tensor:
    g = pl.cast(gate, pl.FP32)
    out[:] = pl.cast(g / (1.0 + pl.exp(-g)) * pl.cast(up, pl.FP32), pl.BF16)
    return out


def reference(gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    return (torch.nn.functional.silu(gate.float()) * up.float()).bfloat16()


for tokens in (1, 17, 256):
    both = torch.randn(tokens, 2 * HIDDEN).bfloat16()
    gate, up = both.chunk(2, dim=1)  # two strided views
    torch.testing.assert_close(swiglu(gate, up), reference(gate, up), rtol=2e-2, atol=2e-2)
assert len(swiglu.variants) == 1


# %% [markdown]
# An output that is left out is allocated by the library of the inputs. In a module, a kernel is called like any
# function; there is nothing to register.


# %%
class Gated(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.project = torch.nn.Linear(HIDDEN, 2 * HIDDEN, bias=False, dtype=torch.bfloat16)

    @torch.inference_mode()
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        gated: torch.Tensor = swiglu(*self.project(x).chunk(2, dim=1))
        return gated


result = Gated()(torch.randn(5, HIDDEN).bfloat16())
assert isinstance(result, torch.Tensor) and result.shape == (5, HIDDEN)

# %% [markdown]
# Wrong arguments are refused: a tensor on another device, another element type, an output that shares memory with an
# input.

# %%
plain = torch.ones(2, HIDDEN, dtype=torch.bfloat16)
for what, arguments in {
    "a tensor on another device": (plain.to("meta"), plain),
    "another element type": (plain, plain.float()),
    "an output that is an input": (plain, plain.clone(), plain),
}.items():
    try:
        swiglu(*arguments)
    except tegula.CallError as error:
        print(f"{what}: {error}")
    else:
        raise AssertionError(what)
# Output:
# a tensor on another device: argument 'gate': cannot be read: Cannot pack tensors on meta
# another element type: argument 'up': BF16 is wanted, got FP32
# an output that is an input: argument 'out' is written and shares memory with argument 'gate'
