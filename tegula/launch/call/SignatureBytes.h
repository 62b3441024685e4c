// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Signatures as bytes.

#ifndef TEGULA_LAUNCH_CALL_SIGNATUREBYTES_H
#define TEGULA_LAUNCH_CALL_SIGNATUREBYTES_H

#include "tegula/launch/cache/ByteStream.h"
#include "tegula/launch/call/Signature.h"

namespace tegula {

/// Appends a signature.
void writeSignature(ByteWriter &writer, const Signature &signature);

/// Reads one; false if it cannot be one, whatever the bytes are.
bool readSignature(ByteReader &reader, Signature &signature);

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_SIGNATUREBYTES_H
