// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the services of the command are sent: the language server through a
// file descriptor, the playground through connections to its own port.
#include "test/fuzz/Inputs.h"

#include "tegula/frontend/builtins/Reference.h"
#include "tools/tegula/lsp/Server.h"
#include "tools/tegula/serve/Playground.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LSP/Logging.h"
#include <csignal>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace tegula;
using llvm::StringRef;

static void sendAll(int descriptor, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count <= 0)
      return;
    bytes = bytes.drop_front(count);
  }
}

static std::string frameLines(StringRef text) {
  std::string framed;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    framed +=
        llvm::formatv("Content-Length: {0}\r\n\r\n{1}", line.size(), line);
  return framed;
}

static void readMessages(StringRef text) {
  llvm::lsp::Logger::setLogLevel(llvm::lsp::Logger::Level::Error);
  std::string framed;
  if (text.starts_with("{"))
    framed = frameLines(text);
  int file = ::memfd_create("messages", MFD_CLOEXEC);
  fuzz::expect(file >= 0, "there is no file in memory");
  sendAll(file, framed.empty() ? text : StringRef(framed));
  ::lseek(file, 0, SEEK_SET);
  std::string answers;
  llvm::raw_string_ostream stream(answers);
  Server(file, stream).run();
  ::close(file);
}

static std::vector<std::string> listMessageTokens() {
  std::vector<std::string> words = {"\"line\"",
                                    "\"character\"",
                                    "\"range\"",
                                    "\"start\"",
                                    "\"end\"",
                                    "-1",
                                    "0",
                                    "1",
                                    "99999",
                                    "4294967296",
                                    "\"text\"",
                                    "\"version\"",
                                    "null",
                                    "{}",
                                    "[]",
                                    "\"file:///k.py\"",
                                    "\"uri\"",
                                    "\"id\"",
                                    "\\n",
                                    "\\u00e9",
                                    "\\ud83d\\ude00",
                                    "pl.",
                                    "import pl",
                                    "def f(x):",
                                    "\\\"\\\"\\\""};
  for (const char *method :
       {"initialize", "shutdown", "textDocument/didOpen",
        "textDocument/didChange", "textDocument/didClose", "textDocument/hover",
        "textDocument/completion", "textDocument/signatureHelp",
        "textDocument/definition", "textDocument/inlayHint",
        "textDocument/documentSymbol", "exit"})
    words.push_back(method);
  return words;
}

namespace {

/// A playground in a thread. Its jobs are a program that does nothing.
class RunningPlayground {
public:
  static constexpr const char *token = "token";

  RunningPlayground() {
    Expected<std::unique_ptr<HttpServer>> made = HttpServer::listen(0);
    fuzz::expect(static_cast<bool>(made), "there is no port");
    server = std::move(*made);
    llvm::SmallString<128> folder;
    fuzz::expect(!llvm::sys::fs::createUniqueDirectory("tegula-fuzz", folder),
                 "there is no folder");
    playground = std::make_unique<Playground>(
        "/bin/true", folder.str().str(), token, getPort(), ProcessLimits());
    thread = std::thread([this, folder = folder.str().str()] {
      int signal = server->run(
          [this](const HttpRequest &request) {
            return playground->answer(request);
          },
          endAllProcesses);
      llvm::sys::fs::remove_directories(folder);
      if (!isEnding)
        std::_Exit(128 + signal);
    });
  }
  /// The server stops as it does when the command is told to end.
  ~RunningPlayground() {
    isEnding = true;
    ::kill(::getpid(), SIGTERM);
    thread.join();
  }

  uint16_t getPort() const { return server->getPort(); }

private:
  std::unique_ptr<HttpServer> server;
  std::unique_ptr<Playground> playground;
  std::atomic<bool> isEnding = false;
  std::thread thread;
};

} // namespace

static int connectTo(uint16_t port) {
  int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  fuzz::expect(::connect(descriptor, reinterpret_cast<sockaddr *>(&address),
                         sizeof(address)) == 0,
               "nobody listens");
  return descriptor;
}

/// The bytes with the numbers that this process has: HOST is what the page is
/// loaded from.
static std::string address(StringRef text, uint16_t port) {
  std::string bytes;
  while (true) {
    size_t at = text.find("HOST");
    bytes += text.take_front(at);
    if (at == StringRef::npos)
      return bytes;
    bytes += "127.0.0.1:" + std::to_string(port);
    text = text.drop_front(at + 4);
  }
}

static void readRequests(StringRef text) {
  static RunningPlayground playground;
  std::signal(SIGPIPE, SIG_IGN);
  int connection = connectTo(playground.getPort());
  sendAll(connection, address(text, playground.getPort()));
  ::shutdown(connection, SHUT_WR);
  char bytes[4096];
  while (::read(connection, bytes, sizeof(bytes)) > 0) {
  }
  // No port waits for what comes late.
  linger now = {1, 0};
  ::setsockopt(connection, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
  ::close(connection);
}

static std::vector<std::string> listRequestTokens() {
  return {"GET",
          "POST",
          "/token/",
          "HTTP/1.1",
          "\r\n",
          "\r\n\r\n",
          "Host: HOST",
          "Origin: http://HOST",
          "HOST",
          "Content-Length:",
          "Content-Type: application/json",
          "Transfer-Encoding: chunked",
          "Expect: 100-continue",
          "Connection: close",
          "0\r\n\r\n",
          "ffffffffffffffff",
          "check",
          "at",
          "run",
          "ir",
          "sim",
          "choices",
          "report/0",
          "{\"source\":\"\"}",
          "\"sizes\"",
          "\"scalars\"",
          "\"kernel\"",
          "\"place\"",
          "\"1:1\"",
          "\"target\"",
          "\"machine\"",
          "\"stage\"",
          "M=3",
          "..",
          "%2e"};
}

const fuzz::Input fuzz::lsp = {"lsp", readMessages, listMessageTokens};
const fuzz::Input fuzz::playground = {"playground", readRequests,
                                      listRequestTokens};
