// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The messages that an editor sends, one after the other. While none comes,
/// there is time for other work.

#ifndef TEGULA_TOOLS_LSP_MESSAGEINPUT_H
#define TEGULA_TOOLS_LSP_MESSAGEINPUT_H

#include "llvm/Support/LSP/Transport.h"
#include <functional>
#include <string>

namespace tegula {

/// What is done while an editor is silent.
struct IdleWork {
  std::function<bool()> isWanted;
  std::function<void()> run;
};

/// Reads messages with headers from a file descriptor. What is no message is
/// skipped, with a line in the log.
class MessageInput : public llvm::lsp::JSONTransportInput {
public:
  MessageInput(int descriptor, IdleWork work)
      : descriptor(descriptor), work(std::move(work)) {}

  bool hasError() const override { return false; }
  bool isEndOfInput() const override { return isAtEnd; }
  llvm::LogicalResult readDelimitedMessage(std::string &) override {
    return llvm::failure();
  }
  llvm::LogicalResult readStandardMessage(std::string &json) override;

private:
  /// Waits for more bytes; false at the end of the input.
  bool fill();
  bool readLine(std::string &line);

  int descriptor;
  IdleWork work;
  std::string buffer;
  bool isAtEnd = false;
};

} // namespace tegula

#endif // TEGULA_TOOLS_LSP_MESSAGEINPUT_H
