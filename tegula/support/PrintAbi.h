// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How compiled code says what a kernel prints. The routine is defined in
/// tegula/launch/routines/PrintSupport.cpp.

#ifndef TEGULA_SUPPORT_PRINTABI_H
#define TEGULA_SUPPORT_PRINTABI_H

#include "tegula/support/KernelAbi.h"

extern "C" {

/// Added to the dtype of a tensor of which a record holds the elements that
/// are shown, and no others.
enum { TegulaPrintShownOnly = 256 };

/// Prints the text of a record, unless the call has failed: the text's number
/// of bytes, that of values, the text's bytes in words of eight, and for each
/// `{}` in it a value: a dtype, a rank and the address of the first element,
/// `rank` sizes and as many strides. A number has the rank -1 and its bits
/// instead of an address.
void tegulaPrint(const int64_t *record, TegulaCallState *state);

} // extern "C"

#endif // TEGULA_SUPPORT_PRINTABI_H
