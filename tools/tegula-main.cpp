// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The user's command. What it does is elsewhere: next to the compiler, in
// libtegula, where that has LLVM inside.

#include "tools/tegula/Main.h"

int main(int argc, char **argv) { return tegulaCommand(argc, argv); }
