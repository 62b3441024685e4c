# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A second judge of compiled kernels: runs them as ordinary Python on NumPy, as docs/language.md says.

It shares no line with the compiler: not the parser, not the IR, not the interpreter.
"""
