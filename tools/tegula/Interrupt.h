// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How the command ends by SIGINT, SIGTERM and SIGHUP: by the signal itself, as
/// shells expect it. One that sees its child end otherwise goes on with a loop
/// that Ctrl-C was to end.

#ifndef TEGULA_TOOLS_INTERRUPT_H
#define TEGULA_TOOLS_INTERRUPT_H

namespace tegula {

/// From now on such a signal removes files that are half written and ends the
/// process, unless it was ignored.
void endBySignals();

/// The next such signal calls the function instead, once; another one ends the
/// process.
void deferNextSignal(void (*function)());

/// Notes a signal that was waited for in another way.
void noteSignal(int signal);

/// The exit code of a command that a signal has made to stop early: what a
/// shell shows for it.
int getInterruptedCode();

/// Ends the process by the signal, if the exit code is that of one.
void endIfInterrupted(int exitCode);

} // namespace tegula

#endif // TEGULA_TOOLS_INTERRUPT_H
