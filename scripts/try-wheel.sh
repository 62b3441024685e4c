#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `make wheel-check` runs in a bare system: the wheel is installed, and everything it promises is tried.
set -euo pipefail
cd /tmp
for tool in cc gcc clang ld ld.lld; do
    if command -v "$tool" >/dev/null; then
        echo "this system has $tool: it is not bare" >&2
        exit 1
    fi
done
[ -z "$(find / -xdev -name 'libLLVM*' -o -xdev -name 'libMLIR*' 2>/dev/null)" ]

python3 -m venv --system-site-packages venv
venv/bin/pip install -q --no-index /given/*.whl
. /given/try-command.sh venv/bin/tegula

echo "== Python"
venv/bin/python /given/readme-python.py /given/README.md >readme.py
[ "$(venv/bin/python readme.py)" = "(1000, 256) 1.0" ]
venv/bin/python -c 'import ctypes, tegula; ctypes.CDLL("/tmp/libsoftmax.so").softmax; print("tegula", tegula.__version__)'
time_of 'import tegula' venv/bin/python -c 'import tegula.language'
time_of 'a process with a kernel on disk' venv/bin/python readme.py
time_of 'a process that compiles' env TEGULA_CACHE=off venv/bin/python readme.py
du -shL /given/*.whl venv/lib/python3*/site-packages/tegula
