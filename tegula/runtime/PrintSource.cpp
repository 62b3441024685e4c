// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/frontend/unparse/SourcePrinter.h"
#include "tegula/runtime/Compilation.h"

using namespace tegula;

/// More rounds than this change a text for ever.
static constexpr unsigned maxRounds = 4;

/// Parses `text` in the context of `original`.
static Error parse(Compilation &compilation, Stage stage) {
  compilation.keepBarriers();
  if (Error error = compilation.generate({}))
    return error;
  return compilation.advance(stage);
}

static KernelSource asSource(Compilation &original, const std::string &text) {
  return {"printed.py", original.getEntry().getSymName().str(), text};
}

/// Compares a text with what it was printed from, in the form that both have at
/// stage inferred.
static Expected<std::optional<KernelDifference>>
compareWith(Compilation &original, const std::string &text) {
  Compilation printed(asSource(original, text), original);
  if (Error error = parse(printed, Stage::Inferred))
    return error;
  return original.findDifference(printed);
}

static Expected<std::string> print(Compilation &compilation,
                                   SourceStyle style) {
  std::string result;
  if (Error error =
          compilation.getReports().attempt([&]() -> llvm::LogicalResult {
            auto text = printSource(compilation.getModule(), style);
            if (failed(text))
              return llvm::failure();
            result = *text;
            return llvm::success();
          }))
    return error;
  return result;
}

/// The text that comes out when `text` is printed, if that is the same program
/// too; again and again until nothing changes.
static std::string settle(Compilation &original, std::string text, Stage stage,
                          SourceStyle style) {
  for (unsigned round = 0; round < maxRounds; ++round) {
    Compilation again(asSource(original, text), original);
    if (Error error = parse(again, stage)) {
      llvm::consumeError(std::move(error));
      break;
    }
    Expected<std::string> next = print(again, style);
    if (!next) {
      llvm::consumeError(next.takeError());
      break;
    }
    if (*next == text)
      break;
    Expected<std::optional<KernelDifference>> difference =
        compareWith(original, *next);
    if (!difference)
      llvm::consumeError(difference.takeError());
    else if (!*difference)
      text = *next;
  }
  return text;
}

Expected<std::string> tegula::printSource(const KernelSource &source,
                                          Stage stage,
                                          llvm::ArrayRef<Argument> arguments) {
  if (stage > Stage::Inferred)
    return makeError("source is printed of stage frontend or inferred");
  Expected<KernelSource> loaded = readSource(source);
  if (!loaded)
    return loaded.takeError();
  Compilation compilation(std::move(*loaded));
  compilation.keepBarriers();
  if (Error error = compilation.generate(arguments))
    return error;
  if (Error error = compilation.advance(stage))
    return error;
  constexpr SourceStyle styles[] = {SourceStyle::Short, SourceStyle::Explicit};
  std::vector<std::string> texts;
  for (SourceStyle style : styles) {
    Expected<std::string> text = print(compilation, style);
    if (!text)
      return text.takeError();
    texts.push_back(*text);
  }
  if (Error error = compilation.advance(Stage::Inferred))
    return error;
  std::string why;
  for (auto [style, text] : llvm::zip(styles, texts)) {
    Expected<std::optional<KernelDifference>> difference =
        compareWith(compilation, text);
    if (difference && !*difference)
      return settle(compilation, text, stage, style);
    if (why.empty())
      why = difference ? (*difference)->text
                       : llvm::toString(difference.takeError());
    else
      llvm::consumeError(difference.takeError());
  }
  return makeError(
      "this kernel cannot be written as source: what comes closest "
      "is another program\n{0}",
      why);
}
