# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What NVIDIA's assembler makes of kernels: that of PyPI (`scripts/setup.sh assembler`), or one on the PATH."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from tegula_library import BINARIES, EXAMPLES, with_dtype

# Each with variants or routines that others do not have.
NAMES = (
    "decoder/layer",
    "embedding_kv_cache",
    "flash_attention",
    "flash_attention_bf16",
    "gemm",
    "gemm_tensors",
    "layer_norm_tiles",
    "moe",
    "paged_attention",
    "rms_norm_grid",
    "silu",
    "split_k",
    "topk",
    "w4a16_linear",
    "w8a8_linear",
)


def find_assembler() -> str | None:
    for folder in sys.path:
        for found in pathlib.Path(folder).glob("nvidia/*/bin/ptxas"):
            return str(found)
    return shutil.which("ptxas")


ASSEMBLER = find_assembler()
pytestmark = pytest.mark.skipif(ASSEMBLER is None, reason="there is no ptxas; `scripts/setup.sh assembler` installs it")


def build(source: pathlib.Path, folder: pathlib.Path, chips: str) -> bytes:
    library = folder / "library.so"
    command = [BINARIES / "tegula", "build", source, "--target", f"cuda:{chips}", "-o", library]
    run = subprocess.run(
        command, env={**os.environ, "TEGULA_PTXAS": ASSEMBLER}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return library.read_bytes()


def assert_assembled(code: bytes) -> None:
    """Code of two chips, and no text that is still to be assembled."""
    assert code.count(b"\x7fELF") >= 3
    assert not re.search(rb"\.version \d+\.\d+\s+\.target sm_", code)


@pytest.mark.parametrize("name", NAMES)
def test_assembles(name, tmp_path):
    assert_assembled(build(EXAMPLES / f"{name}.py", tmp_path, "sm_90a,sm_80"))


@pytest.mark.parametrize("chips", ["sm_90a,sm_80", "sm_100a,sm_120", "sm_100,sm_103a"])
def test_matmuls_on_tensor_cores_assemble(chips, tmp_path):
    assert_assembled(build(with_dtype(EXAMPLES / "gemm.py", "BF16", tmp_path), tmp_path, chips))


PRODUCT = """import tegula.language as pl

M = pl.dynamic("M")
K = pl.dynamic("K")
N = pl.dynamic("N")


@pl.jit
def product(a: pl.Tensor[[M, K], pl.{0}], b: pl.Tensor[[K, N], pl.{0}], c: pl.Out[pl.Tensor[[M, N], pl.{1}]]):
    c[:] = pl.matmul(a, b, out_dtype=pl.{1}, precision={2})
"""


@pytest.mark.parametrize("dtype", ["INT8", "UINT8", "FP8E4M3FN", "FP8E5M2"])
def test_matmuls_of_other_elements_assemble(dtype, tmp_path):
    source = tmp_path / "product.py"
    sums = "INT32" if dtype.endswith("INT8") else "FP32"
    source.write_text(PRODUCT.format(dtype, sums, None))
    assert_assembled(build(source, tmp_path, "sm_90a,sm_80"))


@pytest.mark.parametrize("dtype, precision", [("FP32", "tf32"), ("FP8E4M3FN", "fp8"), ("FP8E5M2", "fp8")])
def test_matmuls_that_may_round_assemble(dtype, precision, tmp_path):
    source = tmp_path / "product.py"
    source.write_text(PRODUCT.format(dtype, "FP32", f'"{precision}"'))
    assert_assembled(build(source, tmp_path, "sm_90a,sm_80"))


@pytest.mark.parametrize("name", ["softmax", "paged_attention", "topk", "w8a8_linear"])
def test_assembles_for_later_chips(name, tmp_path):
    assert_assembled(build(EXAMPLES / f"{name}.py", tmp_path, "sm_100a,sm_120"))


def test_assembler_that_fails_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ASSEMBLER", "/bin/false")
    with pytest.raises(AssertionError, match="/bin/false cannot assemble the kernel for sm_80"):
        build(EXAMPLES / "silu.py", tmp_path, "sm_80")


@pytest.mark.parametrize("dtype", ["FP32", "BF16"])
@pytest.mark.parametrize("name", ["softmax", "layer_norm", "rms_norm", "swiglu"])
def test_rows_stay_in_registers(name, dtype, tmp_path):
    source = with_dtype(EXAMPLES / f"{name}.py", dtype, tmp_path)
    command = [BINARIES / "tegula", "ir", source, "--target", "cuda:sm_90a", "--stage", "ptx"]
    text = tmp_path / "kernel.ptx"
    text.write_text(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    command = [ASSEMBLER, "-v", "-arch=sm_90a", text, "-o", tmp_path / "kernel.cubin"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    spilled = re.findall(r"entry function '(\w+_rows_\w+)'.*?(\d+) bytes spill stores", said, re.DOTALL)
    assert len(spilled) >= 3
    # Where four blocks share registers two words may have none: that is quicker than three blocks.
    most = {variant: 8 if "_block" in variant and variant.endswith("_shifted") else 0 for variant, _ in spilled}
    assert not [variant for variant, bytes_ in spilled if int(bytes_) > most[variant]]
