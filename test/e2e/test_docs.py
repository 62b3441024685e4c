# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every kernel in the documentation is compiled, run at several sizes, and compared with the interpreter.

A block of Python with `@pl.jit` in it is a whole file. If it has a function `reference`, that gets the inputs of the
block's first kernel and returns what its outputs must be.
"""

import ast
import pathlib
import re
import subprocess

import numpy as np
import pytest
from tegula_library import BINARIES, NUMPY_TYPES, ROOT, Kernel, load_module

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
# R is the number of ranks, of which there is one here.
SIZES = [{"R": 1}, {"R": 1, "M": 0, "N": 1, "K": 5}, {"R": 1, "M": 17, "N": 130, "K": 33}]
DEFAULT_SIZE = 7


def kernel_blocks():
    for page in PAGES:
        for block in BLOCK.finditer(page.read_text()):
            if "@pl.jit" in block[1]:
                line = page.read_text()[: block.start()].count("\n") + 2
                yield pytest.param(block[1], id=f"{page.relative_to(ROOT)}:{line}")


class Parameter:
    """One parameter of a kernel: its dimensions, or None for a scalar, its type, and whether it is read and written."""

    def __init__(self, node):
        self.name, annotation = node.arg, ast.unparse(node.annotation)
        self.is_out = annotation.startswith("pl.Out[")
        self.is_written = self.is_out or annotation.startswith("pl.InOut[")
        shape = re.search(r"pl\.Tensor\[\[(.*?)\], pl\.(\w+)\]", annotation)
        self.dims = [dim.strip() for dim in shape[1].split(",")] if shape else None
        self.dtype = shape[2] if shape else re.search(r"pl\.([A-Z]+\w*)\]?$", annotation)[1]

    @property
    def scalar(self):
        return 0.5 if "FP" in self.dtype or self.dtype == "BF16" else 3


def is_entry(node):
    return isinstance(node, ast.FunctionDef) and any(
        ast.unparse(decorator) in ("pl.jit", "pl.jit()", "pl.jit.host") for decorator in node.decorator_list
    )


def entries(text):
    """The parameters of each kernel of a file, those that functions make included."""
    made = {}
    for node in ast.parse(text).body:
        if is_entry(node):
            yield node.name, [Parameter(argument) for argument in node.args.args]
        elif isinstance(node, ast.FunctionDef):
            made |= {node.name: inner for inner in node.body if is_entry(inner)}
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            kernel = made.get(ast.unparse(node.value.func))
            if kernel:
                yield node.targets[0].id, [Parameter(argument) for argument in kernel.args.args]


def symbols(text):
    """The dynamic dimensions of a file: Python's name and the symbol's."""
    return dict(re.findall(r'^(\w+) = pl\.dynamic\("(\w+)"\)', text, re.MULTILINE))


@pytest.mark.parametrize("text", list(kernel_blocks()))
def test_kernel_of_a_page_agrees_with_the_interpreter(text, tmp_path):
    path = tmp_path / "block.py"
    path.write_text(text)
    for kernel, parameters in entries(text):
        used = {dim for parameter in parameters for dim in parameter.dims or []}
        dims = [symbol for name, symbol in symbols(text).items() if name in used]
        for sizes in SIZES:
            command = [BINARIES / "tegula", "run", f"{path}:{kernel}", "--check", "--no-reference"]
            for dim in dims:
                command += ["--dim", f"{dim}={sizes.get(dim, DEFAULT_SIZE)}"]
            for parameter in parameters:
                if parameter.dims is None:
                    command += ["--scalar", f"{parameter.name}={parameter.scalar}"]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
            if not dims:
                break


def sample(parameter, sizes, rng):
    if parameter.dims is None:
        return parameter.scalar
    shape = [eval(dim, dict(sizes)) for dim in parameter.dims]
    return rng.integers(0, 2 if parameter.dtype == "BOOL" else 8, shape).astype(NUMPY_TYPES[parameter.dtype])


@pytest.mark.parametrize("text", [block for block in kernel_blocks() if "def reference" in block.values[0]])
def test_kernel_of_a_page_agrees_with_its_reference(text, tmp_path):
    path = tmp_path / "block.py"
    path.write_text(text)
    module = load_module(path)
    name, parameters = next(entries(text))
    constants = vars(module)
    rng = np.random.default_rng(1)
    for wanted_sizes in SIZES:
        sizes = constants | {key: wanted_sizes.get(symbol, DEFAULT_SIZE) for key, symbol in symbols(text).items()}
        arguments = [sample(parameter, sizes, rng) for parameter in parameters]
        inputs = [
            np.copy(argument) if isinstance(argument, np.ndarray) else argument
            for parameter, argument in zip(parameters, arguments, strict=True)
            if not parameter.is_out
        ]
        wanted = module.reference(*inputs)
        Kernel(path, name)(*arguments)
        outputs = [a for p, a in zip(parameters, arguments, strict=True) if p.is_written]
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        for found, expected in zip(outputs, wanted, strict=True):
            np.testing.assert_allclose(found.astype(np.float64), np.asarray(expected, np.float64), rtol=1e-5, atol=1e-5)


def prefix(name):
    return r"\bpld\." if name.startswith("distributed.") else r"\bpl\."


def test_every_function_has_an_example():
    names = subprocess.run([BINARIES / "tegula", "help", "--names"], check=True, capture_output=True, text=True)
    text = "\n".join(block.values[0] for block in kernel_blocks())
    refused = set(names_of_other_systems("| names | refused |"))
    missing = [
        name
        for name in sorted(set(names.stdout.split()) - refused)
        if not re.search(rf"{prefix(name)}(?:tile\.|tensor\.)?{re.escape(name.removeprefix('distributed.'))}\(", text)
    ]
    assert not missing, f"no kernel in docs/ calls {', '.join(missing)}"


def test_the_pages_say_what_the_compiler_says():
    for page in sorted((ROOT / "docs" / "ops").glob("*.md")):
        theme = pathlib.Path(page).stem
        done = subprocess.run([BINARIES / "tegula", "help", "--markdown", theme], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert done.stdout in page.read_text(), f"{page}: replace the table by that of 'tegula help --markdown {theme}'"


def test_parameters_without_effect_are_listed():
    done = subprocess.run([BINARIES / "tegula", "help", "--markdown", "ignored"], capture_output=True, text=True)
    assert done.stdout in (ROOT / "docs" / "language.md").read_text(), "run scripts/update-docs.py"


def names_of_other_systems(heading):
    """The functions in a table of docs/language.md about names of other systems, with what becomes of them."""
    section = (ROOT / "docs" / "language.md").read_text().split("## Names from other systems")[1]
    table = section.split(heading)[1].split("\n\n")[0]
    for line in table.splitlines()[2:]:
        yield from re.findall(r"`pl\.([a-z_.]+)`", line.split("|")[1])


def call_of(name, folder):
    path = folder / "kernel.py"
    path.write_text(f"""import tegula.language as pl


@pl.jit
def k(y: pl.Out[pl.Tensor[[4], pl.FP32]]):
    pl.{name}()
    y[:] = pl.full([4], pl.FP32, 1.0)
""")
    return subprocess.run([BINARIES / "tegula", "check", path], capture_output=True, text=True)


@pytest.mark.parametrize("name", list(names_of_other_systems("| names | here |")))
def test_what_has_nothing_to_do_is_accepted(name, tmp_path):
    done = call_of(name, tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", list(names_of_other_systems("| names | refused |")))
def test_what_is_refused_says_what_to_write(name, tmp_path):
    done = call_of(name, tmp_path)
    assert done.returncode == 1 and "does not exist" not in done.stderr, done.stderr
