// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/serve/HttpServer.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <csignal>
#include <list>

using namespace tegula;
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using Handler = std::function<HttpReply(const HttpRequest &)>;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

class Connection;

/// What all connections share.
struct Service {
  Handler handler;
  /// Where the handler runs.
  asio::thread_pool workers{4};
  int numConnections = 0;
  /// Those that wait for a request or for the rest of it, from the first on.
  std::list<Connection *> waiting = {};
};

/// One client, from its first request to its last.
class Connection : public std::enable_shared_from_this<Connection> {
public:
  Connection(tcp::socket socket, Service &service)
      : stream(std::move(socket)), service(service) {
    ++service.numConnections;
  }
  ~Connection() { --service.numConnections; }

  void read() {
    slot = service.waiting.insert(service.waiting.end(), this);
    parser.emplace();
    parser->body_limit(HttpServer::maxBodyBytes);
    parser->header_limit(HttpServer::maxHeaderBytes);
    stream.expires_after(std::chrono::seconds(HttpServer::maxSilentSeconds));
    http::async_read(stream, buffer, *parser,
                     [self = shared_from_this()](error_code error, size_t) {
                       self->service.waiting.erase(self->slot);
                       self->handle(error);
                     });
  }

  /// Ends one that waits.
  void close() {
    error_code ignored;
    stream.socket().close(ignored);
  }

private:
  void handle(error_code error);
  void write(const HttpReply &reply);
  /// Reads what the client still sends, within limits: closing before would
  /// take the answer away from it.
  void drain(size_t left);

  static constexpr size_t maxDrainedBytes = 4 << 20;
  beast::tcp_stream stream;
  beast::flat_buffer buffer;
  std::optional<http::request_parser<http::string_body>> parser;
  http::response<http::string_body> response;
  Service &service;
  /// While it waits, where it is among those that do.
  std::list<Connection *>::iterator slot;
};

} // namespace

/// Connections end with the context, so the service outlives it.
struct HttpServer::State {
  Service service;
  asio::io_context context;
  tcp::acceptor acceptor{context};
};

static std::string textOf(boost::string_view text) {
  return {text.data(), text.size()};
}

/// The answer to what could not be read; none if nobody is there to read it.
static std::optional<HttpReply> explain(error_code error) {
  HttpReply reply;
  reply.status = 400;
  if (error == http::error::body_limit)
    reply.status = 413;
  else if (error == http::error::header_limit)
    reply.status = 431;
  else if (error.category() !=
               make_error_code(http::error::body_limit).category() ||
           error == http::error::end_of_stream ||
           error == http::error::partial_message)
    return std::nullopt;
  reply.body = error.message() + "\n";
  return reply;
}

void Connection::handle(error_code error) {
  if (error) {
    if (std::optional<HttpReply> reply = explain(error))
      write(*reply);
    return;
  }
  const auto &message = parser->get();
  HttpRequest request;
  request.method = textOf(message.method_string());
  request.target = textOf(message.target());
  request.host = textOf(message[http::field::host]);
  request.origin = textOf(message[http::field::origin]);
  request.contentType = textOf(message[http::field::content_type]);
  request.body = message.body();
  stream.expires_never();
  asio::post(service.workers, [self = shared_from_this(),
                               request = std::move(request)] {
    auto reply = std::make_shared<HttpReply>(self->service.handler(request));
    asio::post(self->stream.get_executor(),
               [self, reply] { self->write(*reply); });
  });
}

void Connection::write(const HttpReply &reply) {
  // What could not be read leaves the rest of the stream without a meaning.
  bool isLast = !parser->is_done() || !parser->get().keep_alive();
  response = {};
  response.result(reply.status);
  response.set(http::field::content_type, reply.contentType);
  response.set(http::field::cache_control, "no-store");
  response.set("Content-Security-Policy", reply.policy);
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.keep_alive(!isLast);
  response.body() = reply.body;
  response.prepare_payload();
  stream.expires_after(std::chrono::seconds(HttpServer::maxSilentSeconds));
  http::async_write(
      stream, response,
      [self = shared_from_this(), isLast](error_code error, size_t) {
        if (!error && !isLast)
          return self->read();
        error_code ignored;
        self->stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
        if (!error)
          self->drain(maxDrainedBytes);
      });
}

void Connection::drain(size_t left) {
  buffer.clear();
  stream.expires_after(std::chrono::seconds(2));
  stream.async_read_some(
      buffer.prepare(16 << 10),
      [self = shared_from_this(), left](error_code error, size_t count) {
        if (!error && count < left)
          self->drain(left - count);
      });
}

/// One too many replaces the one that has said nothing for longest.
/// If all are being answered it is closed without a word.
static bool makeRoom(Service &service) {
  if (service.numConnections < HttpServer::maxConnections)
    return true;
  if (service.waiting.empty())
    return false;
  service.waiting.front()->close();
  return true;
}

static void accept(tcp::acceptor &acceptor, Service &service) {
  acceptor.async_accept([&](error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted)
      return;
    if (!error && makeRoom(service))
      std::make_shared<Connection>(std::move(socket), service)->read();
    accept(acceptor, service);
  });
}

HttpServer::HttpServer(std::unique_ptr<State> state)
    : state(std::move(state)) {}

HttpServer::~HttpServer() = default;

Expected<std::unique_ptr<HttpServer>> HttpServer::listen(uint16_t port) {
  auto state = std::make_unique<State>();
  tcp::endpoint loopback(asio::ip::address_v4::loopback(), port);
  error_code error;
  state->acceptor.open(loopback.protocol(), error);
  if (!error)
    state->acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error)
    state->acceptor.bind(loopback, error);
  if (!error)
    state->acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    return makeError("cannot listen at 127.0.0.1:{0}: {1}", port,
                     error.message());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(state)));
}

uint16_t HttpServer::getPort() const {
  error_code ignored;
  return state->acceptor.local_endpoint(ignored).port();
}

int HttpServer::run(const Handler &handler, const std::function<void()> &stop) {
  Service &service = state->service;
  service.handler = handler;
  asio::signal_set signals(state->context, SIGINT, SIGTERM);
  int signal = 0;
  signals.async_wait([&](error_code, int number) {
    signal = number;
    state->context.stop();
  });
  accept(state->acceptor, service);
  state->context.run();
  stop();
  service.workers.stop();
  service.workers.join();
  return signal;
}
