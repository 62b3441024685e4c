// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From what the page asks to the words of a command line. The page chooses
/// among what is known, and gives names and numbers; nothing of it can be read
/// as an option or as a file.

#ifndef TOOLS_TEGULA_SERVE_JOBARGUMENTS_H
#define TOOLS_TEGULA_SERVE_JOBARGUMENTS_H

#include "tegula/support/Error.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace tegula {

/// The file of the kernel, and of the report of a simulation, in the folder of
/// the job.
constexpr const char *jobSource = "kernel.py";
constexpr const char *jobReport = "report.html";

/// What follows `tegula` to do `verb`: check, at, run, ir or sim.
[[nodiscard]] Expected<std::vector<std::string>>
makeJobArguments(llvm::StringRef verb, const llvm::json::Object &request);

} // namespace tegula

#endif // TOOLS_TEGULA_SERVE_JOBARGUMENTS_H
