// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which lines of the source the instructions of a shared library are.

#ifndef TEGULA_RUNTIME_PROFILE_LINETABLE_H
#define TEGULA_RUNTIME_PROFILE_LINETABLE_H

#include "tegula/runtime/Diagnostic.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tegula {

/// The debug information of a library.
class LineTable {
public:
  /// `bytes` are those of the library, and outlive this.
  [[nodiscard]] static Expected<std::unique_ptr<LineTable>>
  read(llvm::StringRef bytes);
  ~LineTable();

  /// The locations of the instruction at `offset` from where the library
  /// begins: its own, then where that was inlined, and so on.
  std::vector<SourceLocation> find(uint64_t offset) const;

private:
  struct Parts;
  explicit LineTable(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts;
};

} // namespace tegula

#endif // TEGULA_RUNTIME_PROFILE_LINETABLE_H
