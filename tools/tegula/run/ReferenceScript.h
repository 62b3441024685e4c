// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The Python program that runs the function `reference` of a kernel file.

#ifndef TEGULA_TOOLS_REFERENCESCRIPT_H
#define TEGULA_TOOLS_REFERENCESCRIPT_H

namespace tegula {

/// Called with the file and a folder, in which it finds the arguments and
/// leaves the results.
inline constexpr char referenceScript[] =
    R"python("""Runs the function `reference` of a kernel file: run_reference.py FILE FOLDER. The folder has `call.json`, a list of
parameters with `name`, `file` or `number`, and `written` and `read`; what the reference gives goes to `0.npy`, `1.npy`
and so on. Kernels are not run, so Tegula need not be there."""

import importlib.util
import inspect
import json
import pathlib
import sys
import types

# What it exits with where something is missing that the reference needs, and where the file has none.
MISSING = 3
ABSENT = 4

try:
    import numpy as np
except ImportError as error:
    print(error)
    sys.exit(MISSING)


class Anything:
    """Stands for whatever a kernel file takes from tegula.language."""

    def __getattr__(self, name):
        return self

    def __getitem__(self, item):
        return self

    def __call__(self, *args, **kwargs):
        return args[0] if len(args) == 1 and callable(args[0]) else self

    def __mro_entries__(self, bases):
        return ()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        return False


def is_anything(self, *others):
    return self


# Extents such as `H - 2` and `pl.cdiv(M, 8) * N`.
OPERATORS = "add sub mul truediv floordiv mod pow matmul lshift rshift and or xor"
for word in OPERATORS.split():
    setattr(Anything, f"__{word}__", is_anything)
    setattr(Anything, f"__r{word}__", is_anything)
for word in "neg pos abs invert lt le gt ge".split():
    setattr(Anything, f"__{word}__", is_anything)


def load(path):
    names = ("tegula", "tegula.language", "tegula.language.distributed", "tegula.torch")
    for name in names:
        module = types.ModuleType(name)
        module.__getattr__ = lambda name: Anything()
        module.__path__ = []
        sys.modules[name] = module
    sys.modules["tegula"].language = sys.modules["tegula.language"]
    sys.modules["tegula.language"].distributed = sys.modules["tegula.language.distributed"]
    sys.path.insert(0, str(path.parent))
    # The arguments that the file was compiled with.
    sys.argv[:] = [str(path)]
    spec = importlib.util.spec_from_file_location("kernel_file", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernel_file"] = module
    spec.loader.exec_module(module)
    return module


def call(function, parameters):
    """Gives it arguments by their names if it has these, otherwise what the kernel reads, in order."""
    values = {parameter["name"]: parameter["value"] for parameter in parameters}
    try:
        wanted = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        wanted = None
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    if wanted is not None and all(
        each.kind in by_name and (each.name in values or each.default is not each.empty) for each in wanted
    ):
        known = {each.name: values[each.name] for each in wanted if each.name in values}
        if known or not wanted:
            return function(**known)
    return function(*(parameter["value"] for parameter in parameters if parameter["read"]))


def main():
    folder = pathlib.Path(sys.argv[2])
    parameters = json.loads((folder / "call.json").read_text())
    for parameter in parameters:
        number = parameter.get("number")
        number = float(number) if isinstance(number, str) else number
        parameter["value"] = np.load(folder / parameter["file"]) if "file" in parameter else number
    module = load(pathlib.Path(sys.argv[1]).resolve())
    if not hasattr(module, "reference"):
        sys.exit(ABSENT)
    if not callable(module.reference):
        print(f"it is no function but {type(module.reference).__name__}")
        sys.exit(MISSING)
    given = call(module.reference, parameters)
    if given is None:
        sys.exit("it returns nothing; it should return what the kernel writes")
    given = given if isinstance(given, (tuple, list)) else (given,)
    for index, value in enumerate(given):
        np.save(folder / f"{index}.npy", np.asarray(value).astype(np.float64))


try:
    main()
except ImportError as error:
    print(error)
    sys.exit(MISSING)
)python";

} // namespace tegula

#endif // TEGULA_TOOLS_REFERENCESCRIPT_H
