// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The whole of the command as one function, so that it can be in a library.

#ifndef TEGULA_TOOLS_MAIN_H
#define TEGULA_TOOLS_MAIN_H

/// Does what the words after the first say, and returns the exit code.
extern "C" int tegulaCommand(int argc, char **argv);

#endif // TEGULA_TOOLS_MAIN_H
