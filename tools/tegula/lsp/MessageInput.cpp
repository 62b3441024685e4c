// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/lsp/MessageInput.h"

#include "tegula/support/JsonDepth.h"

#include "llvm/Support/JSON.h"
#include <cerrno>
#include <poll.h>
#include <unistd.h>

using namespace tegula;
using llvm::StringRef;

/// How long an editor is silent before other work begins, in milliseconds:
/// whoever types is not waited for.
static constexpr int patience = 120;
/// Larger messages and longer headers are not an editor's.
static constexpr size_t maxMessage = size_t(64) << 20;
static constexpr size_t maxHeader = 4096;

bool MessageInput::fill() {
  while (true) {
    pollfd wanted = {descriptor, POLLIN, 0};
    int found = poll(&wanted, 1, work.isWanted() ? patience : -1);
    if (found == 0) {
      work.run();
      continue;
    }
    char bytes[65536];
    ssize_t count = found < 0 ? -1 : read(descriptor, bytes, sizeof(bytes));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      isAtEnd = true;
      return false;
    }
    buffer.append(bytes, count);
    return true;
  }
}

bool MessageInput::readLine(std::string &line) {
  size_t end;
  while ((end = buffer.find('\n')) == std::string::npos) {
    if (buffer.size() > maxHeader)
      buffer.clear();
    if (!fill())
      return false;
  }
  line = StringRef(buffer).take_front(end).rtrim("\r").str();
  buffer.erase(0, end + 1);
  return true;
}

/// True for a request or a notification. Nothing is asked of the editor, so
/// that it has nothing to answer; anything else would end the service.
static bool isMessage(StringRef text) {
  if (isDeep(text))
    return false;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const llvm::json::Object *object = value->getAsObject();
  return object && object->getString("jsonrpc") == "2.0" &&
         object->getString("method");
}

llvm::LogicalResult MessageInput::readStandardMessage(std::string &json) {
  size_t length = 0;
  std::string line;
  while (true) {
    if (!readLine(line))
      return llvm::failure();
    StringRef header = line;
    if (header.empty())
      break;
    if (header.consume_front_insensitive("content-length:") &&
        header.trim().getAsInteger(10, length))
      length = 0;
  }
  if (length == 0 || length > maxMessage) {
    llvm::lsp::Logger::error("a message without a length that makes sense");
    return llvm::failure();
  }
  while (buffer.size() < length)
    if (!fill())
      return llvm::failure();
  json = buffer.substr(0, length);
  buffer.erase(0, length);
  if (!isMessage(json)) {
    llvm::lsp::Logger::error("what came is no message");
    return llvm::failure();
  }
  return llvm::success();
}
