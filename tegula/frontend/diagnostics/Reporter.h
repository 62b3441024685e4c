// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reports each mistake once. Code may be generated several times, until the
/// types of what goes around loops are known and for every use of a function;
/// the author sees one error at one location.

#ifndef TEGULA_FRONTEND_DIAGNOSTICS_REPORTER_H
#define TEGULA_FRONTEND_DIAGNOSTICS_REPORTER_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tegula {

class NameListener;

/// A further location, and what is to be seen there.
using Note = std::pair<mlir::Location, std::string>;

/// Sends errors to the diagnostic engine of the context.
class Reporter {
public:
  /// Reports an error unless it has been reported already.
  void error(mlir::Location loc, const llvm::Twine &message,
             llvm::ArrayRef<Note> notes = {});

  /// Says something about a location that is not a mistake, once.
  void remark(mlir::Location loc, const llvm::Twine &message);
  /// Reports a warning unless it has been reported already.
  void warning(mlir::Location loc, const llvm::Twine &message);

  /// From here on everything is kept back until the attempt ends; attempts may
  /// be made inside each other.
  void beginAttempt();
  /// Ends the last attempt. What was kept back is said, or forgotten with the
  /// errors it counted.
  void endAttempt(bool isForgotten);

  /// How many errors there were, repeated ones included.
  unsigned getNumErrors() const { return numErrors; }

  /// The first error there was.
  const std::optional<Note> &getFirst() const { return first; }

  /// The calls that led to the function being generated, outermost first; they
  /// are shown with every error.
  std::vector<Note> calls;

  /// True if nothing is shown: code is generated only to learn from it.
  bool isSilent = false;

  /// Who hears what names mean; null if nobody does.
  NameListener *listener = nullptr;

private:
  /// Something to say.
  struct Message {
    enum class Kind { Error, Warning, Remark };
    Kind kind;
    mlir::Location loc;
    std::string text;
    std::vector<Note> notes;
  };
  /// What was said since an attempt began, and what was known then.
  struct Attempt {
    std::vector<Message> messages;
    unsigned numErrors;
    std::optional<Note> first;
  };

  void say(Message message);

  std::vector<Attempt> attempts;
  unsigned numErrors = 0;
  std::optional<Note> first;
  std::set<std::pair<const void *, std::string>> seen;
};

} // namespace tegula

#endif // TEGULA_FRONTEND_DIAGNOSTICS_REPORTER_H
