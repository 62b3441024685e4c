// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Machines as JSON objects, with the keys of machine files.

#ifndef TEGULA_SIM_MACHINE_MACHINEJSON_H
#define TEGULA_SIM_MACHINE_MACHINEJSON_H

#include "tegula/sim/machine/Machine.h"
#include "tegula/support/Error.h"
#include "llvm/Support/JSON.h"

namespace tegula::sim {

/// Every key with its value, as the attribute `name` of the object that is
/// open.
void writeMachine(llvm::StringRef name, const Machine &machine,
                  llvm::json::OStream &json);

/// The machine that was written; `path` is what messages call it. Their line is
/// that of the key among all keys.
[[nodiscard]] Expected<Machine> readMachine(const llvm::json::Object &object,
                                            llvm::StringRef path);

} // namespace tegula::sim

#endif // TEGULA_SIM_MACHINE_MACHINEJSON_H
