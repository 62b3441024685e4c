// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What `tegula serve` answers. Whoever does not know the token, comes from
/// another page or calls this machine by another name gets nothing. Each
/// request is for one of a few words; none of them is ever a path.

#ifndef TEGULA_TOOLS_SERVE_PLAYGROUND_H
#define TEGULA_TOOLS_SERVE_PLAYGROUND_H

#include "tools/tegula/serve/HttpServer.h"
#include "tools/tegula/serve/LimitedProcess.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <atomic>
#include <deque>
#include <mutex>

namespace tegula {

class Playground {
public:
  /// The command itself runs kernels, in folders below `folder`.
  Playground(std::string program, std::string folder, std::string token,
             uint16_t port, const ProcessLimits &limits)
      : program(std::move(program)), folder(std::move(folder)),
        token(std::move(token)), port(port), limits(limits) {}

  HttpReply answer(const HttpRequest &request);

private:
  /// The reports of simulations that can still be looked at.
  static constexpr size_t maxReports = 8;
  static constexpr uint64_t maxReportBytes = 64 << 20;
  /// Processes at once; who comes later is told to try again.
  static constexpr int maxJobs = 2;

  bool isOwnHost(llvm::StringRef host) const;
  HttpReply get(llvm::StringRef name);
  HttpReply work(llvm::StringRef verb, llvm::StringRef body);
  llvm::json::Object runJob(llvm::StringRef verb,
                            const llvm::json::Object &request);
  /// Keeps a page and returns the name it is asked for by.
  std::string keepReport(std::string page);

  std::string program, folder, token;
  uint16_t port;
  ProcessLimits limits;
  std::atomic<int> numJobs = 0;
  std::atomic<uint64_t> numFolders = 0;
  std::mutex reportLock;
  uint64_t numReports = 0;
  std::deque<std::string> reports;
};

} // namespace tegula

#endif // TEGULA_TOOLS_SERVE_PLAYGROUND_H
