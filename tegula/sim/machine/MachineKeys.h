// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The keys of a machine file: one table that reading, printing, what-if
/// changes and the reference page all go by.

#ifndef TEGULA_SIM_MACHINE_MACHINEKEYS_H
#define TEGULA_SIM_MACHINE_MACHINEKEYS_H

#include "tegula/sim/machine/Machine.h"
#include "tegula/support/Error.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <variant>

namespace tegula::sim {

/// One key: its name in the file, the field it fills and what it may be.
struct MachineKey {
  using Field =
      std::variant<int64_t Machine::*, double Machine::*, bool Machine::*,
                   std::string Machine::*, std::vector<int64_t> Machine::*,
                   Dataflow Machine::*, NocKind Machine::*,
                   DramLevel Machine::*, LinkTopology Machine::*>;

  llvm::StringLiteral name;
  Field field;
  /// What it means, for the reference page.
  llvm::StringLiteral meaning;
  /// The range of numbers, both ends included.
  double least = 0;
  double most = 0;
};

/// Every key, in the order in which they are printed.
llvm::ArrayRef<MachineKey> getMachineKeys();

/// The words that a key with a choice takes, in the order of the enumerators;
/// empty for other keys.
llvm::ArrayRef<llvm::StringLiteral> getChoices(const MachineKey &key);

/// The value of `key` in `machine` as it is written in a machine file.
std::string printValue(const Machine &machine, const MachineKey &key);

/// The key whose name is nearest to `name`, for messages.
const MachineKey &findNearestKey(llvm::StringRef name);

/// What no single key can say: sizes that must divide each other, shifts of the
/// channel hash that would lose addresses.
[[nodiscard]] Error checkMachine(const Machine &machine);

} // namespace tegula::sim

#endif // TEGULA_SIM_MACHINE_MACHINEKEYS_H
