# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels run on."""

import numpy as np
import pytest

import tegula
import tegula.language as pl

M = pl.dynamic("M")


def body(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = pl.exp(x) * 2.0


def test_the_interpreter_gives_what_compiled_code_gives():
    x = np.linspace(-3, 3, 37, dtype=np.float32)
    compiled, interpreted = pl.jit(body), pl.jit(target="interpreter")(body)
    np.testing.assert_allclose(compiled(x), interpreted(x), rtol=1e-6)
    assert len(compiled.variants) == 1
    assert len(interpreted.variants) == 1
    with pytest.raises(tegula.CallError, match="FP32 is wanted, got FP64"):
        interpreted(x.astype(np.float64), x)


def test_a_target_for_a_while():
    kernel = pl.jit(body)
    x = np.ones(3, np.float32)
    with tegula.config(target="interpreter"):
        np.testing.assert_allclose(kernel(x), np.exp(x) * 2, rtol=1e-6)
        interpreted = kernel.key
    np.testing.assert_allclose(kernel(x), np.exp(x) * 2, rtol=1e-6)
    assert kernel.key != interpreted


@pytest.mark.parametrize("target", ["cpu", "cpu:x86-64-v3", "cpu:no-threads", "interpreter", "interpreter:tiles"])
def test_a_target_with_options(target, tmp_path):
    kernel, again = pl.jit(target=target)(body), pl.jit(target=target)(body)
    x = np.linspace(-3, 3, 1001, dtype=np.float32)
    with tegula.config(cache_dir=tmp_path):
        np.testing.assert_allclose(kernel(x), np.exp(x) * 2, rtol=1e-6)
        np.testing.assert_array_equal(again(x), kernel(x))
    assert [kernel.compile_count, again.compile_count] == [1, 0], "it was kept on disk"


def test_the_interpreter_takes_tensors_of_torch():
    torch = pytest.importorskip("torch")
    x = torch.linspace(-3, 3, 37)
    found = pl.jit(target="interpreter")(body)(x)
    assert isinstance(found, torch.Tensor)
    np.testing.assert_allclose(found.numpy(), np.exp(x.numpy()) * 2, rtol=1e-6)


def test_what_goes_wrong_in_the_interpreter_is_said_as_of_compiled_code():
    def read(x: pl.Tensor[[M], pl.FP32], i: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = x * pl.read(x, [i])

    x = np.ones(3, np.float32)
    for target in ("cpu", "interpreter"):
        kernel = pl.jit(target=target)(read)
        np.testing.assert_array_equal(kernel(x, 2), x)
        with pytest.raises(tegula.RunError, match=r"test_target\.py:\d+:\d+: .*9"):
            kernel(x, 9)


def test_stages_are_those_of_the_target():
    kernel = pl.jit(body)
    assert "mulps" in kernel.lower(stage="asm") or "addps" in kernel.lower(stage="asm")
    with pytest.raises(tegula.CallError, match="no stage 'ptx'; there is: frontend, inferred, tiles, .*llvm, asm"):
        kernel.lower(stage="ptx")
    with tegula.config(target="interpreter"):
        assert "upto 256" in kernel.lower(stage="tiles")
        with pytest.raises(tegula.CallError, match="there is no stage 'asm'; there is: frontend, inferred, tiles"):
            kernel.lower(stage="asm")


def test_an_unknown_target():
    for target, message in {
        "gpu": "there is no target 'gpu'; there is: cpu, interpreter, npu, cuda",
        "cpu:nonsense": "target 'cpu:nonsense': there is no processor 'nonsense'",
        "interpreter:asm": "target 'interpreter:asm': there is no stage 'asm'; there is: frontend, inferred, tiles",
    }.items():
        with pytest.raises(tegula.CallError, match=message):
            pl.jit(target=target)(body)(np.ones(3, np.float32))


def test_only_processors_have_libraries(tmp_path):
    with pytest.raises(tegula.CallError, match="there are no libraries for the target 'interpreter'"):
        pl.jit(target="interpreter")(body).export(tmp_path / "libbody.so")


COUNTS = {
    "cpu": (32, 64),
    "cpu:no-threads": (1, 2),
    "interpreter": (32, 64),
    "npu:ascend910b": (24, 48),
}


@pytest.mark.parametrize("target, wanted", COUNTS.items())
def test_kernels_ask_how_large_the_target_is(target, wanted):
    @pl.jit(target=target)
    def counts(out: pl.Out[pl.Tensor[[2], pl.INT64]]):
        out[0] = pl.system.available_cluster_count()
        out[1] = pl.system.available_aiv_count()

    assert tuple(counts()) == wanted


@pytest.mark.parametrize("target, wanted", COUNTS.items())
def test_shapes_may_be_counts(target, wanted):
    @pl.jit(target=target)
    def rows(x: pl.Tensor[[4], pl.FP32]):
        return pl.full([pl.system.available_cluster_count(), 4], pl.FP32, 1.0) + x

    np.testing.assert_array_equal(rows(np.ones(4, np.float32)), np.full((wanted[0], 4), 2, np.float32))
