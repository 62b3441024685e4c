# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every example on simulated NPUs, one with a scratchpad for all and one with memories of their own for products,
against its NumPy reference."""

import numpy as np
import pytest
from tegula_library import DTYPES, EXAMPLES, Kernel, load_module, with_dtype
from test_kernels import CASES, TOLERANCE, assert_close, make_input

LARGE = [1000, 1024, 1536, 2048]


def sizes_of(name: str) -> list[dict[str, int]]:
    """Sizes that hurt in all dimensions at once, and something large in one after the other."""
    dims = CASES[name].sizes
    chosen = [{dim: values[place % len(values)] for dim, values in dims.items()} for place in range(9)]
    for place, dim in enumerate(dims):
        for number, large in enumerate(LARGE):
            others = {other: values[(place + number) % len(values)] for other, values in dims.items()}
            chosen.append({**others, dim: large})
    return chosen


@pytest.mark.parametrize("machine", ["edge8x8", "ascend910b"])
@pytest.mark.parametrize("name", CASES)
def test_matches_numpy_at_every_size(name, machine, tmp_path):
    case, reference = CASES[name], load_module(EXAMPLES / f"{name}.py").reference
    rng = np.random.default_rng(1)
    for dtype in ("FP32", "BF16"):
        kernel = Kernel(with_dtype(EXAMPLES / f"{name}.py", dtype, tmp_path), target=f"npu:{machine}")
        for sizes in sizes_of(name):
            shape_of = lambda shape, sizes=sizes: tuple(sizes.get(entry, entry) for entry in shape)  # noqa: E731
            inputs = [make_input(rng, n, shape_of(s), DTYPES[dtype], sizes) for n, s in case.inputs.items()]
            output = np.full(shape_of(case.output), 7, dtype=DTYPES[case.output_dtype or dtype])
            kernel(*inputs, *case.scalars, output)
            with np.errstate(all="ignore"):
                wanted = reference(*inputs, *case.scalars)
            assert_close(output, wanted, TOLERANCE[dtype], f"{name} {dtype} {sizes}")
        assert kernel.compile_count == 1
