// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Machine files: TOML, one key per line, nothing assumed. A key that is
/// unknown, missing, of the wrong type or out of range is an error that names
/// the line, and what is read can be printed back whole.

#ifndef TEGULA_SIM_MACHINE_MACHINEFILE_H
#define TEGULA_SIM_MACHINE_MACHINEFILE_H

#include "tegula/sim/machine/Machine.h"
#include "tegula/support/Error.h"
#include "llvm/ADT/StringRef.h"

namespace tegula::sim {

/// The machine that `text` describes; `path` is what messages call it.
[[nodiscard]] Expected<Machine> parseMachine(llvm::StringRef text,
                                             llvm::StringRef path);

/// Replaces the energies of `machine` by those in `text`, which has the keys
/// that begin with `energy_` and no others.
[[nodiscard]] Error replaceEnergies(Machine &machine, llvm::StringRef text,
                                    llvm::StringRef path);

/// Every key with its value; parseMachine makes the same machine of it.
std::string printMachine(const Machine &machine);

/// The machine in the file `name`, or the one of that name that is shipped:
/// "tpuv3".
[[nodiscard]] Expected<Machine> loadMachine(llvm::StringRef name);

/// The names of the machines that are shipped, sorted.
std::vector<std::string> listMachines();

/// Changes `machine` as `changes` says: "dram_bandwidth=x2,cores=4". A name may
/// leave out its unit, and `x` multiplies.
[[nodiscard]] Error applyWhatIf(Machine &machine, llvm::StringRef changes);

} // namespace tegula::sim

#endif // TEGULA_SIM_MACHINE_MACHINEFILE_H
