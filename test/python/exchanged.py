# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of a library that tells about them by DLPack's C exchange, and may do anything while it does."""

import contextlib
import ctypes

import numpy as np


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    ]


_DESCRIBE = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(_Tensor))


class _Api(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("exported", ctypes.c_void_p),
        ("imported", ctypes.c_void_p),
        ("describe", _DESCRIBE),
        ("stream", ctypes.c_void_p),
    ]


class Exchanged:
    """An array of NumPy's behind it. `on_query` is called whenever it is asked what it is."""

    def __init__(self, array, on_query=lambda: None):
        self.array = array
        self.on_query = on_query
        self.device = (1, 0)
        self.offset = 0
        self.rank = array.ndim

    def fill(self, tensor):
        self.on_query()
        array = self.array
        kind = {"f": 2, "i": 0, "u": 1}[array.dtype.kind]
        steps = [stride // array.itemsize for stride in array.strides]
        self.kept = (ctypes.c_int64 * 8)(*array.shape), (ctypes.c_int64 * 8)(*steps)
        tensor.data = array.ctypes.data - self.offset
        tensor.offset = self.offset
        tensor.device_type, tensor.device_id = self.device
        tensor.rank, tensor.code, tensor.bits, tensor.lanes = self.rank, kind, 8 * array.itemsize, 1
        tensor.shape, tensor.strides = self.kept

    def __len__(self):
        return self.fail()


@_DESCRIBE
def _describe(exchanged, tensor):
    exchanged.fill(tensor[0])
    return 0


_api = _Api(1, 3, None, None, None, None, _describe, None)
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
# A capsule keeps no copy of it.
_NAME = ctypes.create_string_buffer(b"dlpack_exchange_api")
Exchanged.__dlpack_c_exchange_api__ = _new_capsule(ctypes.addressof(_api), ctypes.addressof(_NAME), None)


@contextlib.contextmanager
def failing(exception, times=1):
    """The library fails to tell about tensors as often as that. What Python code raises does not leave a callback, so a
    function of Python's own takes its place, which asks an object for its length."""
    left = times

    def fail(self):
        nonlocal left
        left -= 1
        if left == 0:
            _api.describe = _describe
        raise exception

    Exchanged.fail = fail
    _api.describe = ctypes.cast(ctypes.pythonapi.PyObject_Size, _DESCRIBE)
    try:
        yield
    finally:
        _api.describe = _describe


def exchanged(*shape, dtype=np.float32):
    return Exchanged(np.random.default_rng(0).integers(0, 100, shape).astype(dtype))
