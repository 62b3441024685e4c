// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the lexer and the parser find, with locations in a file.

#ifndef TEGULA_FRONTEND_DIAGNOSTICS_PARSERDIAGNOSTICS_H
#define TEGULA_FRONTEND_DIAGNOSTICS_PARSERDIAGNOSTICS_H

#include "tegula/frontend/diagnostics/Diagnostics.h"
#include "tegula/frontend/diagnostics/Reporter.h"
#include "tegula/frontend/diagnostics/SourceText.h"

namespace tegula {

/// Sends what the parser finds to the diagnostic engine.
class ParserDiagnostics : public SourceDiagnostics {
public:
  ParserDiagnostics(const SourceText &source, Reporter &reporter)
      : source(source), reporter(reporter) {}

  void error(llvm::SMLoc loc, const llvm::Twine &message) override {
    reporter.error(source.locate(loc), message);
  }

private:
  const SourceText &source;
  Reporter &reporter;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_DIAGNOSTICS_PARSERDIAGNOSTICS_H
