# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example on simulated NPUs, one with a scratchpad for all and one with memories of their own for products,
against its NumPy reference."""

import pytest
from tegula_library import EXAMPLES, Kernel, with_dtype
from test_kernels import CASES, assert_matches_numpy

LARGE = [1000, 1024, 1536, 2048]


def sizes_of(name: str) -> list[dict[str, int]]:
    """Sizes that hurt in all dimensions at once, and something large in one after the other."""
    dims = CASES[name].sizes
    chosen = [{dim: values[index % len(values)] for dim, values in dims.items()} for index in range(9)]
    for index, dim in enumerate(dims):
        for number, large in enumerate(LARGE):
            others = {other: values[(index + number) % len(values)] for other, values in dims.items()}
            chosen.append({**others, dim: large})
    return chosen


@pytest.mark.parametrize("machine", ["edge8x8", "ascend910b"])
@pytest.mark.parametrize("name", CASES)
def test_matches_numpy_at_every_size(name, machine, tmp_path):
    for dtype in ("FP32", "BF16"):
        kernel = Kernel(with_dtype(EXAMPLES / f"{name}.py", dtype, tmp_path), target=f"npu:{machine}")
        assert_matches_numpy(name, kernel, dtype, sizes_of(name))
