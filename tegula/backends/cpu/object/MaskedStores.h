// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Masked stores whose masks have become constants. LLVM 22 stores too many
/// bytes where a mask is known to let one lane pass and the value is a
/// truncated vector (x86, AVX-512), so these never reach it.

#ifndef TEGULA_BACKENDS_CPU_OBJECT_MASKEDSTORES_H
#define TEGULA_BACKENDS_CPU_OBJECT_MASKEDSTORES_H

namespace llvm {
class Module;
} // namespace llvm

namespace tegula {

/// Replaces every masked store of one known lane by a store of that element,
/// and drops those of none.
void storeSingleLanes(llvm::Module &module);

} // namespace tegula

#endif // TEGULA_BACKENDS_CPU_OBJECT_MASKEDSTORES_H
