# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls compiled kernels through the C interface of libtegula: one process, one compile, many sizes."""

import ctypes
import importlib.util
import os
import pathlib
import sys
import types

import ml_dtypes
import numpy as np

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

NUMBERS = {
    name: number
    for number, name in enumerate(
        (
            "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 "
            "int4 uint4 float8_e4m3fn float8_e5m2"
        ).split()
    )
}
TENSOR, INTEGER, FLOAT = range(3)


class _Argument(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int),
        ("data", ctypes.c_void_p),
        ("dtype", ctypes.c_int),
        ("rank", ctypes.c_int32),
        ("sizes", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("integer", ctypes.c_int64),
        ("real", ctypes.c_double),
    ]


BINARIES = pathlib.Path(os.environ.get("TEGULA_BIN", ROOT / "build" / "bin"))


def _open() -> ctypes.CDLL:
    library = ctypes.CDLL(str(BINARIES.parent / "lib" / "libtegula.so"))
    library.tegulaKernelGetCompileCount.restype = ctypes.c_uint64
    return library


LIBRARY = _open()


class KernelError(Exception):
    """What the library says is wrong with a file or a call."""


def _check(succeeded: int, message: ctypes.c_char_p) -> None:
    if not succeeded:
        text = ctypes.string_at(message).decode()
        LIBRARY.tegulaStringDestroy(message)
        raise KernelError(text)


def pack(array: np.ndarray) -> np.ndarray:
    """The 4-bit elements of an array two to a byte, the first in the low half; each row starts with a byte."""
    bits = array.astype(np.int8).view(np.uint8) & 15
    if array.ndim == 0:
        return bits
    bits = np.concatenate([bits, np.zeros((*bits.shape[:-1], bits.shape[-1] % 2), np.uint8)], -1)
    return np.ascontiguousarray(bits[..., ::2] | bits[..., 1::2] << 4)


def unpack(packed: np.ndarray, like: np.ndarray) -> np.ndarray:
    """The elements in the shape and type of `like`."""
    if packed.ndim == 0:
        bits = packed & 15
    else:
        pairs = np.stack([packed & 15, packed >> 4], -1)
        bits = pairs.reshape(*packed.shape[:-1], 2 * packed.shape[-1])[..., : like.shape[-1]]
    signed = like.dtype.name == "int4"
    return ((bits.astype(np.int8) ^ 8) - 8 if signed else bits).astype(like.dtype)


class Kernel:
    """A compiled kernel; call it with arrays and numbers in the order of its parameters."""

    def __init__(self, path: pathlib.Path, name: str = "", target: str = ""):
        self._handle = ctypes.c_void_p()
        message = ctypes.c_void_p()
        _check(
            LIBRARY.tegulaKernelLoadForTarget(
                str(path).encode(),
                name.encode(),
                target.encode(),
                ctypes.byref(self._handle),
                ctypes.byref(message),
            ),
            message,
        )

    def __call__(self, *arguments) -> None:
        packed = (_Argument * len(arguments))()
        keep, halves = [], []
        for slot, argument in zip(packed, arguments, strict=True):
            if isinstance(argument, np.ndarray):
                memory, steps = argument, [s // argument.itemsize for s in argument.strides]
                if argument.dtype.name in ("int4", "uint4"):
                    memory = pack(argument)
                    steps = [*(2 * s for s in memory.strides[:-1]), 1][-argument.ndim :]
                    halves.append((argument, memory))
                sizes = (ctypes.c_int64 * argument.ndim)(*argument.shape)
                strides = (ctypes.c_int64 * argument.ndim)(*steps)
                keep += [sizes, strides, memory]
                slot.kind, slot.data = TENSOR, memory.ctypes.data
                slot.dtype, slot.rank = NUMBERS[argument.dtype.name], argument.ndim
                slot.sizes, slot.strides = sizes, strides
            elif isinstance(argument, int):
                slot.kind, slot.integer = INTEGER, argument
            else:
                slot.kind, slot.real = FLOAT, argument
        message = ctypes.c_void_p()
        _check(LIBRARY.tegulaKernelCall(self._handle, packed, len(arguments), ctypes.byref(message)), message)
        for argument, memory in halves:
            if argument.flags.writeable:
                argument[...] = unpack(memory, argument)

    @property
    def compile_count(self) -> int:
        return LIBRARY.tegulaKernelGetCompileCount(self._handle)

    def __del__(self):
        LIBRARY.tegulaKernelDestroy(self._handle)


class _Anything:
    """Stands for whatever a kernel file takes from tegula.language: only the references are run by Python."""

    def __getattr__(self, name):
        return self

    def __getitem__(self, item):
        return self

    def __call__(self, *args, **kwargs):
        return args[0] if len(args) == 1 and callable(args[0]) else self

    def calculate(self, *others):
        """An extent may be computed from symbols."""
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = calculate
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __neg__ = calculate


def load_module(path: pathlib.Path) -> types.ModuleType:
    """The kernel file as a Python module, for its `reference` function and its constants."""
    package, language = types.ModuleType("tegula"), types.ModuleType("tegula.language")
    ranks = types.ModuleType("tegula.language.distributed")
    language.__getattr__ = ranks.__getattr__ = lambda name: _Anything()
    package.language, language.distributed = language, ranks
    before = dict(sys.modules)
    sys.modules.update({module.__name__: module for module in (package, language, ranks)})
    sys.path.insert(0, str(path.parent))
    try:
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        # Files next to it may bear the name of others: nothing imported here stays, but for real packages.
        sys.path.remove(str(path.parent))
        for name in set(sys.modules) - set(before):
            origin = getattr(sys.modules[name], "__file__", None)
            if name.startswith("tegula") or (origin and pathlib.Path(origin).parent == path.parent):
                del sys.modules[name]
    return module


NUMPY_TYPES = {
    "BOOL": np.bool_,
    **{f"{kind.upper()}{bits}": np.dtype(f"{kind}{bits}") for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
    "INT4": ml_dtypes.int4,
    "UINT4": ml_dtypes.uint4,
    "FP8E4M3FN": ml_dtypes.float8_e4m3fn,
    "FP8E5M2": ml_dtypes.float8_e5m2,
    "FP16": np.float16,
    "BF16": ml_dtypes.bfloat16,
    "FP32": np.float32,
    "FP64": np.float64,
}
DTYPES = {"FP32": np.float32, "FP16": np.float16, "BF16": ml_dtypes.bfloat16, "FP64": np.float64}


def with_dtype(path: pathlib.Path, dtype: str, folder: pathlib.Path) -> pathlib.Path:
    """A copy of the kernel file whose constant DTYPE is another element type."""
    text = path.read_text()
    changed = text.replace("DTYPE = pl.FP32\n", f"DTYPE = pl.{dtype}\n")
    assert dtype == "FP32" or changed != text, f"{path} has no DTYPE constant"
    copy = folder / path.name
    copy.write_text(changed)
    return copy
