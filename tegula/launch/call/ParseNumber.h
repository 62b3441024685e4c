// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers that are given as text, with the rule of every other call: a number
/// that no type holds is refused and not rounded to infinity.

#ifndef TEGULA_LAUNCH_CALL_PARSENUMBER_H
#define TEGULA_LAUNCH_CALL_PARSENUMBER_H

#include "tegula/launch/Problem.h"
#include "tegula/launch/call/Argument.h"

#include <string>

namespace tegula {

/// What is said of an integer outside -2^63 to 2^64 - 1.
inline constexpr const char *integerTooLarge = "does not fit 64 bits";

/// Reads "3", "0x10", "-2.5e3", "inf", "true". The problem goes on where a
/// sentence begins with the text: "is not a number".
Problem parseNumber(const std::string &text, Argument &number);

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_PARSENUMBER_H
