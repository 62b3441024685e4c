// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code has no LLVM: a name for declarations.
#pragma once
namespace llvm {
class StringRef;
} // namespace llvm
