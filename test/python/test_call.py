# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of kernels with tensors of every kind, right and wrong."""

import array
import ctypes
import ctypes.util
import threading

import ml_dtypes
import numpy as np
import pytest
import torch

import tegula
import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")


@pl.jit
def add(x: pl.Tensor[[M, N], pl.FP32], y: pl.Tensor[[M, N], pl.FP32], out: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    out[:] = x + y


@pl.jit
def scale(x: pl.Tensor[[M], pl.FP32], factor: pl.Scalar[pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
    out[:] = x * factor


@pl.jit
def count(n: pl.Scalar[pl.INT8], out: pl.Out[pl.Tensor[[M], pl.INT32]]):
    out[:] = pl.full([pl.tensor.dim(out, 0)], pl.INT32, n)


@pl.jit
def double(x, out: pl.Out[pl.Tensor]):
    out[:] = x + x


def pair(m, n):
    rng = np.random.default_rng(m * 1000 + n)
    return [rng.standard_normal((m, n), dtype=np.float32) for _ in range(2)]


@pytest.mark.parametrize("m", [0, 1, 7, 63, 64, 65, 131])
@pytest.mark.parametrize("n", [0, 1, 13, 64, 257])
def test_every_size_from_one_compile(m, n):
    x, y = pair(m, n)
    out = np.full((m, n), np.nan, np.float32)
    add(x, y, out)
    np.testing.assert_array_equal(out, x + y)
    assert len(add.variants) == 1


def test_strided_inputs_are_read_in_place():
    x, y = pair(20, 30)
    out = np.zeros((40, 60), np.float32)
    add(x[::-1, ::2], np.asfortranarray(y)[:, ::-2][::-1][::-1], out[::2, ::4])
    np.testing.assert_array_equal(out[::2, ::4], x[::-1, ::2] + y[:, ::-2])
    assert not out[1::2].any()
    broadcast = np.broadcast_to(np.float32(3), (5, 4))
    np.testing.assert_array_equal(add(broadcast, broadcast), broadcast + broadcast)


def test_torch_tensors():
    x, y = torch.randn(5, 7), torch.randn(7, 5).t()
    out = torch.empty(5, 7)
    assert add(x, y, out) is None
    assert torch.equal(out, x + y)
    left_out = add(x, y)
    assert isinstance(left_out, torch.Tensor) and torch.equal(left_out, out)


def test_libraries_may_be_mixed():
    x, y = pair(3, 4)
    out = np.empty((3, 4), np.float32)
    add(torch.from_numpy(x), y, out)
    np.testing.assert_array_equal(out, x + y)


class OnlyDlpack:
    """A tensor of a library that knows the protocol and nothing of ours."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **kwargs):
        return self.array.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OnGpu:
    """A tensor that DLPack says is on a GPU; nobody reads it before that is known."""

    def __init__(self, number: int) -> None:
        self.shape = (ctypes.c_int64 * 2)(2, 3)
        # A DLManagedTensor: the tensor, then a context and a destroyer.
        self.words = (ctypes.c_uint64 * 8)()
        self.words[0] = 1 << 40
        self.words[1] = 2 | number << 32
        self.words[2] = 2 | (2 | 32 << 8 | 1 << 16) << 32
        self.words[3] = ctypes.addressof(self.shape)

    def __dlpack__(self, **kwargs):
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        return make(ctypes.addressof(self.words), b"dltensor", None)

    def __dlpack_device__(self):
        return (2, 0)


def test_tensors_of_different_devices():
    host = np.zeros((2, 3), np.float32)
    with pytest.raises(tegula.CallError, match="the tensor is on the CPU, but others are on cuda:0"):
        double(OnGpu(0), host)
    with pytest.raises(tegula.CallError, match="the tensor is on cuda:1, but others are on the CPU"):
        double(host, OnGpu(1))
    with pytest.raises(tegula.CallError, match="the tensor is on cuda:1, but others are on cuda:0"):
        double(OnGpu(0), OnGpu(1))


@pytest.mark.skipif(ctypes.util.find_library("cuda") is not None, reason="there is a driver")
def test_a_gpu_without_a_driver():
    with pytest.raises(tegula.ResourceError, match="there is no driver for NVIDIA GPUs"):
        double(OnGpu(0), OnGpu(0))
    x = np.zeros((2, 3), np.float32)
    chosen = pl.jit(target="cuda:sm_80")(double.__wrapped__)
    with pytest.raises(tegula.ResourceError, match="there is no driver for NVIDIA GPUs"):
        chosen(x, x.copy())
    with pytest.raises(tegula.ResourceError, match="there is no driver for NVIDIA GPUs"):
        chosen.explain(x, x.copy(), perf=True)
    named = pl.jit(target="cuda:emulate")(double.__wrapped__)
    with pytest.raises(tegula.CallError, match="the tensors are on cuda:0, but the kernel is for the target"):
        named(OnGpu(0), OnGpu(0))


def test_anything_with_dlpack():
    x, y = pair(3, 4)
    out = np.empty((3, 4), np.float32)
    add(OnlyDlpack(x), OnlyDlpack(torch.from_numpy(y)), OnlyDlpack(out))
    np.testing.assert_array_equal(out, x + y)


def test_buffers():
    x = array.array("f", [1, 2, 3])
    out = memoryview(bytearray(12)).cast("f")
    scale(x, 2, out)
    assert list(out) == [2, 4, 6]


def test_outputs_left_out_are_allocated():
    x, y = pair(4, 5)
    np.testing.assert_array_equal(add(x, y), x + y)
    np.testing.assert_array_equal(add(y=y, x=x), x + y)
    assert add(np.zeros((0, 5), np.float32), np.zeros((0, 5), np.float32)).shape == (0, 5)
    with pytest.raises(tegula.CallError, match="'out' is left out, but its annotation does not say"):
        double(x)


def test_open_parameters_are_specialised():
    double.clear()
    for dtype in (np.float32, np.int32, np.float64, ml_dtypes.bfloat16, np.float16, np.int8, np.uint64):
        x = np.arange(12).reshape(3, 4).astype(dtype)
        out = np.zeros_like(x)
        double(x, out)
        np.testing.assert_array_equal(out, x + x)
    assert len(double.variants) == 7
    assert double.compile_count <= 7


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.zeros((2, 2)),) * 3, "argument 'x': FP32 is wanted, got FP64"),
        ((np.zeros(4, np.float32),) * 3, r"argument 'x': shape \[M, N\] is wanted, got \[4\]"),
        (
            (np.zeros((2, 2), np.float32), np.zeros((2, 3), np.float32), np.zeros((2, 2), np.float32)),
            "axis 1 is 3, but N is 2",
        ),
        (
            (1, np.zeros((2, 2), np.float32), np.zeros((2, 2), np.float32)),
            "argument 'x': a tensor is wanted, got the number 1",
        ),
        ((None, 1, 2), "argument 'x': a tensor or a number is wanted, got an object of type 'NoneType'"),
        (([1.0], 1, 2), "argument 'x': a tensor or a number is wanted, got an object of type 'list'"),
        (("text", 1, 2), "argument 'x': a tensor or a number is wanted"),
        ((np.zeros((2, 2), np.complex64),) * 3, "argument 'x': kernels have no element type complex64"),
        ((np.zeros((2, 2), object),) * 3, "argument 'x': kernels have no element type object"),
        ((np.zeros((2, 2), ">f4"),) * 3, "argument 'x': .* not in the byte order"),
        ((torch.zeros(2, 2, device="meta"),) * 3, "argument 'x':"),
        ((np.zeros((1,) * 9, np.float32),) * 3, "argument 'x': a tensor has at most 8 axes, got 9"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(tegula.CallError, match=message):
        add(*arguments)


def test_wrong_numbers_of_arguments():
    x, y = pair(2, 2)
    with pytest.raises(tegula.CallError, match=r"takes 3 arguments \(x, y, out\), got 4"):
        add(x, y, x, y)
    with pytest.raises(tegula.CallError, match="missing 1 required argument: 'y'"):
        add(x)
    with pytest.raises(tegula.CallError, match="unexpected keyword argument 'z'"):
        add(x, y, z=x)
    with pytest.raises(tegula.CallError, match="multiple values for argument 'x'"):
        add(x, y, x=x)


def test_outputs_that_cannot_be_written():
    x, y = pair(4, 4)
    with pytest.raises(tegula.CallError, match="'out' is written and shares memory with argument 'x'"):
        add(x, y, x)
    with pytest.raises(tegula.CallError, match="'out': stride 0 along axis 0 makes elements share memory"):
        add(x, y, np.lib.stride_tricks.as_strided(np.zeros(4, np.float32), (4, 4), (0, 4)))
    out = np.zeros((4, 4), np.float32)
    out.flags.writeable = False
    with pytest.raises(tegula.CallError, match="'out': it is read-only, but the kernel writes it"):
        add(x, y, out)
    x.flags.writeable = False
    np.testing.assert_array_equal(add(x, y), x + y)


def test_misaligned_memory():
    raw = np.zeros(17, np.uint8)[1:].view(np.float32)
    with pytest.raises(tegula.CallError, match="argument 'x': the data pointer .* is not a multiple of 4"):
        scale(raw, 1.0, np.zeros(4, np.float32))
    fields = np.zeros(4, np.dtype([("a", "u1"), ("b", "<f4")]))["b"]
    with pytest.raises(tegula.CallError, match="argument 'x': stride 5 along axis 0 is not a multiple"):
        scale(fields, 1.0, np.zeros(4, np.float32))


@pytest.mark.parametrize("number", [3, True, np.int8(3), np.uint64(3), np.bool_(True), 3.0, np.float64(3)])
def test_numbers_of_every_kind(number):
    out = np.zeros(3, np.int32)
    count(number, out)
    assert (out == int(number)).all()


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (200, r"argument 'n': 200 does not fit INT8 \(-128 to 127\)"),
        (-129, "argument 'n': -129 does not fit INT8"),
        (float("nan"), "argument 'n': an integer is wanted"),
        (2.5, r"argument 'n': an integer is wanted \(INT8\), got 2.5"),
        (float("inf"), "argument 'n'"),
        (2**70, "argument 'n': the integer does not fit 64 bits"),
        (1j, "argument 'n': a tensor or a number is wanted, got an object of type 'complex'"),
        (np.zeros(()), r"argument 'n': a number is wanted \(INT8\), got a tensor"),
    ],
)
def test_numbers_that_do_not_fit(number, message):
    with pytest.raises(tegula.CallError, match=message):
        count(number, np.zeros(3, np.int32))


def test_threads_share_one_kernel_and_compile_once():
    @pl.jit
    def negate(x: pl.Tensor[[M], pl.FP32], out: pl.Out[pl.Tensor[[M], pl.FP32]]):
        out[:] = -x

    start, failures = threading.Barrier(8), []

    def work(seed):
        start.wait()
        for size in range(seed, 400, 37):
            x = np.random.default_rng(size).standard_normal(size, dtype=np.float32)
            if not np.array_equal(negate(x), -x):
                failures.append(size)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(negate.variants) == 1
    assert negate.compile_count <= 1


def test_errors_end_in_the_users_code():
    with pytest.raises(tegula.CallError) as caught:
        add(1, 2)
    assert caught.traceback[-1].path.name == "test_call.py"


@pytest.mark.parametrize("target", ["cpu", "interpreter", "cuda:emulate", "npu:tpuv3"])
def test_a_tensor_without_axes_is_written_as_a_whole(target):
    @pl.jit(target=target)
    def both(
        x: pl.Tensor[[M], pl.FP32],
        tile: pl.Out[pl.Tensor[[], pl.FP32]],
        number: pl.Out[pl.Tensor[[], pl.FP32]],
        part: pl.InOut[pl.Tensor[[M], pl.FP32]],
    ):
        tile[...] = pl.mean(x, keepdims=False)
        number[...] = 2.5
        part[0] = x[M - 1]

    for size in (1, 7, 64, 131):
        x = np.arange(size, dtype=np.float32)
        tile, number, part = np.zeros((), np.float32), np.zeros((), np.float32), np.zeros(size, np.float32)
        both(x, tile, number, part)
        assert (tile.shape, float(tile), float(number)) == ((), (size - 1) / 2, 2.5)
        assert part[0] == size - 1


def test_a_tensor_without_axes_takes_its_dtype_only():
    @pl.jit
    def other(x: pl.Tensor[[M], pl.FP32], y: pl.Out[pl.Tensor[[], pl.FP16]]):
        y[...] = pl.sum(x, keepdims=False)

    with pytest.raises(tegula.CompileError, match=r"write pl\.cast\(value, pl\.FP16\)"):
        other(np.ones(3, np.float32))
