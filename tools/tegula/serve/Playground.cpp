// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/tegula/serve/Playground.h"
#include "tegula/support/JsonDepth.h"

#include "tegula/runtime/Compiler.h"
#include "tegula/sim/machine/MachineFile.h"
#include "tegula/support/File.h"
#include "tools/tegula/serve/Assets.h"
#include "tools/tegula/serve/JobArguments.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace tegula;
using llvm::StringRef;
namespace json = llvm::json;

/// Everything the page loads comes from here, and nothing is written into it.
static constexpr const char *pagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src "
    "'self'; frame-src 'self'; img-src data:; base-uri 'none'; form-action "
    "'none'; frame-ancestors 'none'";
/// A report draws itself and reaches nothing else, not even this page.
static constexpr const char *reportPolicy =
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

static HttpReply refuse(unsigned status, const std::string &text) {
  HttpReply reply;
  reply.status = status;
  reply.body = text + "\n";
  return reply;
}

static HttpReply replyWith(json::Value value) {
  HttpReply reply;
  reply.contentType = "application/json";
  reply.body = llvm::formatv("{0}", value).str();
  return reply;
}

/// Takes as long for every text of the same length.
static bool isSame(StringRef lhs, StringRef rhs) {
  unsigned char different = lhs.size() != rhs.size();
  for (size_t at = 0; at < std::min(lhs.size(), rhs.size()); ++at)
    different |= lhs[at] ^ rhs[at];
  return different == 0;
}

static json::Value describeChoices() {
  json::Array examples, machines, targets;
  for (const Example &example : listExamples())
    examples.push_back(json::Object{{"name", example.name},
                                    {"source", example.source},
                                    {"sizes", example.sizes},
                                    {"scalars", example.scalars}});
  for (const std::string &machine : sim::listMachines())
    machines.push_back(machine);
  for (auto &[target, where] : listTargetChoices()) {
    json::Array stages;
    if (Expected<std::vector<std::string>> names = listStages(target))
      for (std::string &name : *names)
        stages.push_back(std::move(name));
    else
      llvm::consumeError(names.takeError());
    targets.push_back(json::Object{
        {"target", target}, {"where", where}, {"stages", std::move(stages)}});
  }
  return json::Object{{"examples", std::move(examples)},
                      {"machines", std::move(machines)},
                      {"targets", std::move(targets)}};
}

namespace {

/// A folder that is there while this is.
struct ScratchFolder {
  std::string path;
  ~ScratchFolder() { llvm::sys::fs::remove_directories(path); }
};

/// Counts a job while it runs.
struct CountedJob {
  std::atomic<int> &count;
  int number = ++count;
  ~CountedJob() { --count; }
};

} // namespace

/// The number of this port behind one of the two names of this machine: another
/// name leads here only by a trick of whoever owns it.
bool Playground::isOwnHost(StringRef host) const {
  auto [name, number] = host.rsplit(':');
  return (name == "127.0.0.1" || name == "localhost") &&
         number == std::to_string(port);
}

HttpReply Playground::answer(const HttpRequest &request) {
  StringRef origin = request.origin, target = request.target;
  if (!isOwnHost(request.host))
    return refuse(403, "this host is not served here");
  if (!origin.empty() &&
      !(origin.consume_front("http://") && isOwnHost(origin)))
    return refuse(403, "requests of other pages are not answered");
  if (!target.consume_front("/"))
    return refuse(400, "a path is wanted");
  auto [given, name] = target.split('/');
  if (!isSame(given, token) || !target.contains('/'))
    return refuse(403, "this needs the whole address that 'tegula serve' "
                       "printed");
  if (request.method == "GET")
    return get(name);
  if (request.method != "POST")
    return refuse(405, "GET and POST are answered");
  // Which a page elsewhere cannot send without asking first.
  if (!StringRef(request.contentType).starts_with("application/json"))
    return refuse(415, "a request is application/json");
  return work(name, request.body);
}

HttpReply Playground::get(StringRef name) {
  for (const Asset &asset : listAssets())
    if (asset.name == name) {
      HttpReply reply;
      reply.contentType = asset.contentType.str();
      reply.body = asset.bytes.str();
      reply.policy = pagePolicy;
      return reply;
    }
  if (name == "choices")
    return replyWith(describeChoices());
  uint64_t number = 0;
  if (name.consume_front("report/") && !name.getAsInteger(10, number)) {
    std::lock_guard<std::mutex> lock(reportLock);
    uint64_t first = numReports - reports.size();
    if (number >= first && number < numReports) {
      HttpReply reply;
      reply.contentType = "text/html; charset=utf-8";
      reply.body = reports[number - first];
      reply.policy = reportPolicy;
      return reply;
    }
  }
  return refuse(404, "there is nothing of that name");
}

HttpReply Playground::work(StringRef verb, StringRef body) {
  if (verb != "check" && verb != "at" && verb != "run" && verb != "ir" &&
      verb != "sim")
    return refuse(404, "there is nothing of that name");
  if (isDeep(body))
    return refuse(400, "there are too many brackets in brackets");
  Expected<json::Value> value = json::parse(body);
  if (!value)
    return refuse(400, llvm::toString(value.takeError()));
  const json::Object *request = value->getAsObject();
  if (!request || !request->getString("source"))
    return refuse(400, "a kernel is wanted: {\"source\": ...}");
  CountedJob job{numJobs};
  if (job.number > maxJobs)
    return refuse(503, "other kernels are running; try again");
  return replyWith(runJob(verb, *request));
}

json::Object Playground::runJob(StringRef verb, const json::Object &request) {
  auto fail = [](Error error) {
    return json::Object{{"ok", false},
                        {"text", "error: " + llvm::toString(std::move(error))}};
  };
  Expected<std::vector<std::string>> words = makeJobArguments(verb, request);
  if (!words)
    return fail(words.takeError());
  ScratchFolder scratch{folder + "/" + std::to_string(numFolders++)};
  if (std::error_code error = llvm::sys::fs::create_directory(scratch.path))
    return fail(
        makeError("cannot make '{0}': {1}", scratch.path, error.message()));
  if (Error error =
          writeFilesAtomically({{scratch.path + "/" + jobSource,
                                 request.getString("source")->str()}}))
    return fail(std::move(error));
  auto begin = std::chrono::steady_clock::now();
  Expected<ProcessResult> result =
      runLimited(program, *words, scratch.path, limits);
  if (!result)
    return fail(result.takeError());
  std::chrono::duration<double, std::milli> time =
      std::chrono::steady_clock::now() - begin;
  json::Object reply{{"ok", result->exitCode == 0},
                     {"text", json::fixUTF8(result->output)},
                     {"milliseconds", time.count()}};
  if (verb == "sim") {
    if (Expected<std::string> page =
            readFile(scratch.path + "/" + jobReport, maxReportBytes))
      reply["report"] = keepReport(std::move(*page));
    else
      llvm::consumeError(page.takeError());
  }
  return reply;
}

std::string Playground::keepReport(std::string page) {
  std::lock_guard<std::mutex> lock(reportLock);
  reports.push_back(std::move(page));
  if (reports.size() > maxReports)
    reports.pop_front();
  return "report/" + std::to_string(numReports++);
}
