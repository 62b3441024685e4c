# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the Python of a README, and what shows that it ran."""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
print("\n\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)))
print("print(y.shape, round(float(y[0, 0]) * 256, 3))")
