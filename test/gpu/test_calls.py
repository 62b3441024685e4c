# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run by hand where there is a GPU, with PyTorch: kernels called with its tensors.

python -m pytest test/gpu/test_calls.py
"""

import gc
import importlib
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

import tegula  # noqa: E402
import tegula.language as pl  # noqa: E402

for folder in ("examples", "bench"):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / folder))

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def double(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]) -> None:
    for i in pl.parallel(0, M, 8):
        y[i : i + 8, :] = x[i : i + 8, :] * 2.0


@pl.jit
def pick(x: pl.Tensor[[M], pl.FP32], at: pl.Tensor[[N], pl.INT32], y: pl.Out[pl.Tensor[[N], pl.FP32]]) -> None:
    for i in pl.range(N):
        y[i] = pl.read(x, [pl.read(at, [i])])


def on_gpu(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, device="cuda")


def test_runs_where_its_tensors_are() -> None:
    softmax = importlib.import_module("softmax").softmax
    softmax.clear()
    for m, n in ((1, 1), (37, 1003), (0, 5), (5, 0), (129, 64), (3, 40000)):
        x = on_gpu(m, n)
        y = softmax(x)
        assert y.device == x.device and y.shape == x.shape
        torch.testing.assert_close(y, torch.softmax(x, 1))
        torch.testing.assert_close(softmax(x.cpu()), torch.softmax(x.cpu(), 1))
    assert len(softmax.variants) == 2
    assert "cuda" not in softmax.signature


def test_strided_tensors() -> None:
    x = on_gpu(40, 60)[::2, 1::3].T
    y = torch.zeros(40, 60, device="cuda")[1::2, ::3].T
    double(x, y)
    torch.testing.assert_close(y, 2 * x)


def test_tensors_on_both_are_refused() -> None:
    with pytest.raises(tegula.CallError, match="argument 'y': the tensor is on the CPU, but others are on cuda:0"):
        double(on_gpu(3, 4), torch.zeros(3, 4))
    with pytest.raises(tegula.CallError, match="on cuda:0, but others are on the CPU"):
        double(torch.zeros(3, 4), on_gpu(3, 4))


def test_a_target_that_is_named_holds() -> None:
    named = pl.jit(target="cuda:emulate")(double.__wrapped__)
    with pytest.raises(
        tegula.CallError, match="the tensors are on cuda:0, but the kernel is for the target 'cuda:emulate'"
    ):
        named(on_gpu(3, 4))


def test_named_gpu_takes_tensors_of_the_host() -> None:
    named = pl.jit(target="cuda")(double.__wrapped__)
    x = torch.randn(5, 6)
    torch.testing.assert_close(named(x), 2 * x)


def test_runs_on_the_current_stream() -> None:
    """What the stream has not finished is waited for, what other streams do is not."""
    stream = torch.cuda.Stream()
    x = torch.zeros(2000, 2000, device="cuda")
    y = torch.zeros_like(x)
    double(x, y)
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(200_000_000)
        x.fill_(3)
        double(x, y)
    # Nobody waited for the stream: nothing is there yet.
    assert not stream.query()
    stream.synchronize()
    assert (y == 6).all()


def test_capture_into_a_graph() -> None:
    softmax = importlib.import_module("softmax").softmax
    gemm = importlib.import_module("gemm").gemm
    for kernel, arguments, expected in (
        (softmax, (on_gpu(64, 300), torch.zeros(64, 300, device="cuda")), lambda x, y: torch.softmax(x, 1)),
        (gemm, (on_gpu(65, 40), on_gpu(40, 33), torch.zeros(65, 33, device="cuda")), lambda a, b, c: a @ b),
    ):
        kernel(*arguments)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            kernel(*arguments)
        arguments[0].normal_()
        graph.replay()
        torch.cuda.synchronize()
        torch.testing.assert_close(arguments[-1], expected(*arguments), atol=1e-4, rtol=1e-4)


def test_matmuls_and_what_becomes_of_them() -> None:
    linear = importlib.import_module("linear")
    for m, n, k in (
        (1, 8, 8),
        (65, 136, 96),
        (129, 257, 65),
        (128, 256, 64),
        (300, 7, 1),
        (1000, 1000, 1000),
        (5, 5, 0),
    ):
        a, b = (on_gpu(*shape).to(torch.bfloat16) for shape in ((m, k), (k, n)))
        bias, residual = on_gpu(1, n).to(torch.bfloat16), on_gpu(m, n).to(torch.bfloat16)
        sums = a.float() @ b.float()
        torch.testing.assert_close(linear.linear(a, b).float(), sums, atol=0.02 * max(k, 1) ** 0.5, rtol=0.01)
        wanted = torch.nn.functional.silu(sums + bias.float()) + residual.float()
        got = linear.linear_silu(a, b, bias, residual).float()
        torch.testing.assert_close(got, wanted, atol=0.02 * max(k, 1) ** 0.5, rtol=0.01)
        # A transposed operand, and a target with gaps.
        gaps = torch.zeros(m, 2 * n, device="cuda", dtype=torch.bfloat16)
        linear.linear(a, b.T.contiguous().T, gaps[:, :n])
        torch.testing.assert_close(gaps[:, :n].float(), sums, atol=0.02 * max(k, 1) ** 0.5, rtol=0.01)
        assert not gaps[:, n:].any()


def test_an_error_names_kernel_and_line() -> None:
    x, at = on_gpu(8), torch.tensor([1, 9], device="cuda", dtype=torch.int32)
    y = torch.zeros(2, device="cuda")
    pick(x, at, y)
    torch.cuda.synchronize()
    line = pick.__wrapped__.__code__.co_firstlineno + 3
    with pytest.raises(
        tegula.RunError, match=rf"test_calls.py:{line}.*index 9 of axis 0 is out of range, the extent is 8"
    ):
        pick(x, at, y)
    # It is told once.
    at.fill_(2)
    pick(x, at, y)
    assert (y == x[2]).all()


def test_one_compile_for_fifty_sizes() -> None:
    double.clear()
    for size in range(50):
        x = on_gpu(size * 7 % 53, size * 11 % 47)
        torch.testing.assert_close(double(x), 2 * x)
    assert double.compile_count <= 1
    assert len(double.variants) == 1


def test_explain_and_lower() -> None:
    x = on_gpu(3, 4)
    double(x)
    assert "this call uses variant" in double.explain(x)
    assert ".target sm_" in double.lower(x, stage="ptx")


def test_several_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    def work(seed: int) -> int:
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for _ in range(50):
                x = on_gpu(33, 70)
                torch.testing.assert_close(double(x), 2 * x)
        return seed

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(work, range(16))) == list(range(16))


def test_cupy() -> None:
    cupy = pytest.importorskip("cupy")
    x = cupy.arange(12, dtype=cupy.float32).reshape(3, 4)
    y = double(x)
    assert isinstance(y, cupy.ndarray)
    cupy.testing.assert_array_equal(y, 2 * x)


def test_cupy_works_on_its_current_stream() -> None:
    """A stream that waits for no other: what it does before and after must still be in order."""
    cupy = pytest.importorskip("cupy")
    x, y = cupy.zeros((2000, 2000), "f"), cupy.zeros((2000, 2000), "f")
    double(x, y)
    cupy.cuda.Device().synchronize()
    with cupy.cuda.Stream(non_blocking=True) as stream:
        for value in range(1, 50):
            x.fill(value)
            double(x, y)
            total = y.sum()
            x.fill(0)
            assert float(total) == 2 * value * 2000 * 2000
    other = torch.cuda.Stream()
    with torch.cuda.stream(other), pytest.raises(tegula.CallError, match="its library works on another stream"):
        double(torch.zeros(3, 4, device="cuda"), cupy.zeros((3, 4), "f"))
    shared = torch.cuda.ExternalStream(stream.ptr)
    with torch.cuda.stream(shared), stream:
        result = cupy.zeros((3, 4), "f")
        double(torch.ones(3, 4, device="cuda"), result)
        assert float(result.sum()) == 24


def test_jax_is_read() -> None:
    jax = pytest.importorskip("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("JAX has no GPU here")
    x = jax.numpy.arange(12, dtype="float32").reshape(3, 4)
    y = torch.zeros(3, 4, device="cuda")
    double(x, y)
    assert y.sum() == 2 * 66
    with pytest.raises(tegula.CallError, match="pass them, from torch or CuPy"):
        double(x)


def test_tensors_may_be_freed_at_once() -> None:
    for _ in range(100):
        y = double(on_gpu(512, 512).fill_(1.0))
        del y
    gc.collect()
    torch.cuda.synchronize()
