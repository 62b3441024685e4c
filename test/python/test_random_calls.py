# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A few sessions of random calls, always the same; others are for "make sample" and "make nightly"."""

import pytest
import random_calls


@pytest.mark.parametrize("seed", range(1, 5))
def test_calls_in_any_order_give_what_numpy_gives(seed):
    problem = random_calls.run(seed)
    assert not problem, problem
