# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which variants a kernel has, what each is specialised on and why, and what a call would find."""

from contextlib import suppress
from typing import Any

from tegula import _tegula
from tegula._errors import CallError
from tegula._kernel import complete


def explain(kernel: Any, *args: Any, perf: bool = False, **kwargs: Any) -> str:
    """Says what was compiled and why; with arguments also whether a call with them would find its code, and if not,
    which part of the key differs. For a GPU the kernel is compiled, and the variant of the call is said. Nothing else
    is compiled or run, unless `perf` asks where the time of such a call goes: then it is called for about a second, and
    each line's share, what bounds it, what the compiler could not do and what to change are said. For a simulated NPU
    it is the cycles of its units."""
    arguments = complete(kernel, args, kwargs)[0] if args or kwargs or perf else []
    if perf:
        return _tegula.profile(kernel, arguments, 1.0)
    has_schedules = False
    # What is refused is told below.
    with suppress(CallError):
        has_schedules = _tegula.has_schedules(kernel, arguments)
        if has_schedules and arguments:
            _tegula.compile(kernel, arguments)
    declared = _tegula.signature(kernel)
    variants = _tegula.variants(kernel)
    lines = [declared["text"], f"key {_tegula.key(kernel)[:16]}, {len(variants)} variants"]
    for name, value in dict(_tegula.captured(kernel)).items():
        lines.append(f"  captures {name} = {value}")
    for requirement in declared["requirements"]:
        lines.append(f"  a call must satisfy {requirement}")
    for number, variant in enumerate(variants):
        how = "from the disk cache" if variant["origin"] == "disk" else "compiled in this process"
        lines.append(f"variant {number}: {variant['text']}, {how}")
        lines += [f"  {reason}" for reason in _reasons(declared, variant)]
    if arguments:
        lines += _explain_call(kernel, declared, variants, arguments)
    elif has_schedules:
        lines.append("which variant a call takes on the GPU is said of its arguments: explain(...) with them")
    return "\n".join(lines)


def _reasons(declared: dict, variant: dict) -> list[str]:
    """Why the variant is as special as it is, parameter by parameter."""
    reasons = []
    for asked, got in zip(declared["parameters"], variant["parameters"], strict=True):
        name = got["name"]
        if got["constant"] is not None:
            why = f": {got['reason']}" if got["reason"] else ""
            reasons.append(f"'{name}' is the constant {got['constant']}{why}")
            continue
        if got["kind"] == "scalar":
            if asked["dtype"] is None:
                reasons.append(f"'{name}' is any {got['dtype']}: the annotation leaves the type to the call")
            continue
        open_type, open_shape = asked["dtype"] is None, asked["axes"] is None
        if open_type:
            reasons.append(f"'{name}' holds {got['dtype']}: the annotation leaves the type to the call")
        for axis, extent in enumerate(got["axes"]):
            if isinstance(extent, str):
                if open_shape:
                    reasons.append(f"'{name}' axis {axis} is any size ({extent})")
            elif open_shape:
                why = _reason_of(got, axis) or "the annotation leaves the shape to the call"
                reasons.append(f"'{name}' axis {axis} is {extent}: {why}")
            else:
                reasons.append(f"'{name}' axis {axis} is {extent}: declared, checked at the call")
    return reasons


def _reason_of(parameter: dict, axis: int) -> str:
    """Why an axis is specialised; there is a line for each axis that has a reason of its own."""
    start = f"axis {axis}: "
    return next((line[len(start) :] for line in parameter["reason"].split("\n") if line.startswith(start)), "")


def _explain_call(kernel: Any, declared: dict, variants: list[dict], arguments: list) -> list[str]:
    try:
        found = _tegula.find_variant(kernel, arguments)
    except CallError as error:
        return [f"this call is refused: {error}"]
    if found >= 0:
        return [f"this call uses variant {found}", *_tegula.explain_call(kernel, arguments).splitlines()]
    described = _tegula.describe_arguments(arguments)
    lines = ["this call would look in the disk cache, and compile if it finds nothing there"]
    for number, variant in enumerate(variants):
        for asked, got, argument in zip(declared["parameters"], variant["parameters"], described, strict=True):
            lines += [f"  variant {number}: {part}" for part in _differences(asked, got, argument)]
    return lines


def _differences(asked: dict, got: dict, argument: dict) -> list[str]:
    """How the argument differs from what the variant is specialised on."""
    name = got["name"]
    if argument["kind"] != got["kind"]:
        return [f"'{name}' is a {got['kind']}, the call has a {argument['kind']}"]
    if argument["kind"] == "scalar":
        if got["constant"] is not None and got["constant"] != argument["value"]:
            return [f"'{name}' is {got['constant']}, the call has {argument['value']}"]
        return []
    parts = []
    if asked["dtype"] is None and got["dtype"] != argument["dtype"]:
        parts.append(f"'{name}' holds {got['dtype']}, the call has {argument['dtype']}")
    if len(got["axes"]) != len(argument["shape"]):
        return [*parts, f"'{name}' has {len(got['axes'])} axes, the call has {len(argument['shape'])}"]
    for axis, (extent, size) in enumerate(zip(got["axes"], argument["shape"], strict=True)):
        if isinstance(extent, int) and extent != size:
            parts.append(f"'{name}' axis {axis} is {extent}, the call has {size}")
    return parts
