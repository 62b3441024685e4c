// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a kernel takes, as JSON that can be read by people and back.

#ifndef TEGULA_BACKENDS_NPU_TRACE_SIGNATUREJSON_H
#define TEGULA_BACKENDS_NPU_TRACE_SIGNATUREJSON_H

#include "tegula/launch/call/Signature.h"
#include "llvm/Support/JSON.h"

namespace tegula {

/// The attributes `kernel`, `symbols`, `parameters`, `requirements`, `exact`
/// and `results` of the object that is open. Arithmetic on sizes stands in the
/// order in which it is done: `["M", 2, "//"]`.
void writeSignature(const Signature &signature, llvm::json::OStream &json);

/// The signature that was written; false if something is amiss, which `path`
/// knows then.
bool readSignature(const llvm::json::Value &object, Signature &signature,
                   llvm::json::Path path);

} // namespace tegula

#endif // TEGULA_BACKENDS_NPU_TRACE_SIGNATUREJSON_H
