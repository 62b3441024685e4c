# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
from pathlib import Path

import lit.formats

source = Path(__file__).parent
tegula_bin = getattr(config, "tegula_bin", str(source.parent / "build/bin"))
llvm_bin = getattr(config, "llvm_bin", "/usr/lib/llvm-22/bin")

config.name = "Tegula"
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = str(source)
config.suffixes = [".mlir", ".py", ".test"]
# Python files without a RUN line are imported by tests; they are not tests themselves.
helpers = [path.name for path in source.rglob("*.py") if "RUN:" not in path.read_text()]
config.excludes = ["e2e", "python", "Inputs", "lit.cfg.py", *helpers]
config.environment["PATH"] = os.pathsep.join(
    [tegula_bin, llvm_bin, str(source.parent / ".venv" / "bin"), os.environ["PATH"]]
)
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input=fail"
# A test must not find what an earlier one compiled.
config.environment["TEGULA_CACHE"] = "off"
