# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that do not simply give all arguments in order: names, defaults, and outputs that are left out."""

from __future__ import annotations

# `functools` would take longer to load.
from _functools import partial

from tegula import _tegula
from tegula._defaults import defaults_of
from tegula._errors import CallError
from tegula._load import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MISSING = object()


def make(capture: Any) -> Any:
    """The callable that a decorated function becomes."""
    return _tegula.Kernel(capture.function, capture.resolve, complete)


def bind(kernel: Any, signature: dict, args: tuple, kwargs: dict) -> list:
    """One object per parameter; what is left out has its default, or None if it is an output."""
    parameters = signature["parameters"]
    names = [parameter["name"] for parameter in parameters]
    what = f"{signature['kernel']}()"
    if len(args) > len(names):
        raise CallError(
            f"kernel '{signature['kernel']}' takes {len(names)} arguments ({', '.join(names)}), got {len(args)}"
        )
    bound = [*args, *[_MISSING] * (len(names) - len(args))]
    for name, value in kwargs.items():
        if name == "config" and name not in names:
            raise CallError(f"{what} takes no 'config='; settings are made with tegula.config, for all calls")
        if name not in names:
            raise CallError(f"{what} got an unexpected keyword argument '{name}'; it takes {', '.join(names)}")
        index = names.index(name)
        if bound[index] is not _MISSING:
            raise CallError(f"{what} got multiple values for argument '{name}'")
        bound[index] = value
    if any(value is _MISSING for value in bound):
        _fill(kernel, parameters, bound, what)
    return bound


def _fill(kernel: Any, parameters: list[dict], bound: list, what: str) -> None:
    defaults = defaults_of(kernel.__wrapped__)
    missing = []
    for index, parameter in enumerate(parameters):
        if bound[index] is not _MISSING:
            continue
        if parameter["name"] in defaults:
            bound[index] = defaults[parameter["name"]]
        elif parameter["direction"] == "out":
            bound[index] = None
        else:
            missing.append(f"'{parameter['name']}'")
    if missing:
        raise CallError(
            f"{what} missing {len(missing)} required argument{'s'[: len(missing) > 1]}: {', '.join(missing)}"
        )


def complete(kernel: Any, args: tuple, kwargs: dict) -> tuple[list, Any, tuple | None]:
    """All arguments of a call, what it returns, and what makes the outputs that were left out if nothing else was, and
    all of them at the end: functions to be called for the next one."""
    signature = _tegula.signature(kernel)
    arguments = bind(kernel, signature, args, kwargs)
    allocated = []
    makers = []
    if any(argument is None for argument in arguments):
        pairs = zip(signature["parameters"], arguments, strict=True)
        tensors = (a for p, a in pairs if p["kind"] != "scalar" and not isinstance(a, (bool, int, float, type(None))))
        like = next(tensors, None)
        for index, output in enumerate(_tegula.infer_outputs(kernel, arguments)):
            if output is not None:
                maker = find_maker(*output, like)
                arguments[index] = maker()
                allocated.append(index)
                makers.append(maker)
    are_all = not kwargs and allocated == list(range(len(args), len(arguments)))
    known = tuple(makers) if makers and are_all else None
    returned = [arguments[index] for index in signature["results"] or allocated]
    if not returned:
        return arguments, None, known
    return arguments, returned[0] if len(returned) == 1 else tuple(returned), known


_TORCH_NAMES = {
    "BOOL": "bool",
    "INT8": "int8",
    "INT16": "int16",
    "INT32": "int32",
    "INT64": "int64",
    "INDEX": "int64",
    "UINT8": "uint8",
    "UINT16": "uint16",
    "UINT32": "uint32",
    "UINT64": "uint64",
    "FP8E4M3FN": "float8_e4m3fn",
    "FP8E5M2": "float8_e5m2",
    "FP16": "float16",
    "BF16": "bfloat16",
    "FP32": "float32",
    "FP64": "float64",
}


def find_maker(dtype: str, shape: tuple[int, ...], like: Any) -> Any:
    """What makes a tensor of zeros of the library that `like` comes from, next to tensors like that."""
    if dtype in ("INT4", "UINT4"):
        # Two to a byte; a row starts with a byte.
        dtype, shape = "UINT8", (*shape[:-1], *((extent + 1) // 2 for extent in shape[-1:]))
    if any(base.__module__.partition(".")[0] == "torch" for base in type(like).__mro__):
        torch = load("torch")
        element = getattr(torch, _TORCH_NAMES[dtype])
        return partial(torch.zeros, shape, dtype=element, device=getattr(like, "device", None))
    if hasattr(like, "__dlpack_device__") and (device := _tegula.name_device(like.__dlpack_device__()[0])):
        return _find_maker_on_device(dtype, shape, like, device)
    numpy = load("numpy")
    is_extended = dtype in ("BF16", "FP8E4M3FN", "FP8E5M2")
    return partial(numpy.zeros, shape, numpy.dtype(_extended(dtype) if is_extended else _TORCH_NAMES[dtype]))


def _find_maker_on_device(dtype: str, shape: tuple[int, ...], like: Any, device: str) -> Any:
    """Next to an array of CuPy's, which must not live on. Those of other libraries cannot be written, as a rule."""
    if type(like).__module__.partition(".")[0] != "cupy":
        raise CallError(
            f"outputs next to a '{type(like).__name__}' on {device} cannot be made; pass them, from torch or CuPy"
        )
    if dtype in ("BF16", "FP8E4M3FN", "FP8E5M2"):
        raise CallError(f"CuPy has no {dtype}; pass the output, from torch")
    return partial(_allocate_on_device, _TORCH_NAMES[dtype], shape, like.device)


def _allocate_on_device(dtype: str, shape: tuple[int, ...], device: Any) -> Any:
    with device:
        return load("cupy").zeros(shape, dtype=dtype)


def _extended(dtype: str) -> Any:
    """The types that NumPy itself has not."""
    try:
        ml_dtypes = load("ml_dtypes")
    except ImportError:
        raise CallError(f"NumPy has {dtype} only with the package ml_dtypes; install it, or pass the output") from None
    return getattr(ml_dtypes, _TORCH_NAMES[dtype])
