// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Answers HTTP requests on the loopback address, on Boost.Beast. It knows
/// nothing of what is asked: who asks what is the handler's business, but what
/// is too large, too slow or not HTTP never comes to it.

#ifndef TEGULA_TOOLS_SERVE_HTTPSERVER_H
#define TEGULA_TOOLS_SERVE_HTTPSERVER_H

#include "tegula/support/Error.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace tegula {

struct HttpRequest {
  std::string method;
  /// The path and what follows it, as it was sent.
  std::string target;
  /// Fields of the header; empty if there are none.
  std::string host, origin, contentType;
  std::string body;
};

struct HttpReply {
  unsigned status = 200;
  std::string contentType = "text/plain; charset=utf-8";
  std::string body;
  /// What a browser may do with it.
  std::string policy = "default-src 'none'";
};

class HttpServer {
public:
  static constexpr uint64_t maxBodyBytes = 256 << 10;
  static constexpr uint32_t maxHeaderBytes = 8 << 10;
  /// A client that says nothing for so long is not waited for.
  static constexpr int maxSilentSeconds = 15;
  static constexpr int maxConnections = 64;

  /// Listens at `port` of 127.0.0.1; 0 is one that is free.
  [[nodiscard]] static Expected<std::unique_ptr<HttpServer>>
  listen(uint16_t port);
  ~HttpServer();

  uint16_t getPort() const;
  /// Answers until the process is told to end (Ctrl-C, SIGTERM). The handler
  /// is called from several threads at once, none of which is this one. Then
  /// `stop` is called, which lets those come to their end. Returns the signal.
  int run(const std::function<HttpReply(const HttpRequest &)> &handler,
          const std::function<void()> &stop);

private:
  struct State;
  explicit HttpServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace tegula

#endif // TEGULA_TOOLS_SERVE_HTTPSERVER_H
