// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/lsp/Server.h"
#include "tegula/support/SourceFiles.h"
#include "tools/tegula/lsp/MessageInput.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using namespace llvm::lsp;
namespace json = llvm::json;

static bool isStale(const std::pair<const std::string, OpenFile> &entry) {
  return entry.second.isStale();
}

Server::Server(int input, llvm::raw_ostream &output)
    : transport(
          std::make_unique<MessageInput>(
              input, IdleWork{[this] { return llvm::any_of(files, isStale); },
                              [this] {
                                survey(llvm::find_if(files, isStale)->second);
                              }}),
          output),
      handler(transport),
      publish(handler.outgoingNotification<PublishDiagnosticsParams>(
          "textDocument/publishDiagnostics")) {
  handler.method("initialize", this, &Server::onInitialize);
  handler.notification("initialized", this, &Server::onInitialized);
  handler.method("shutdown", this, &Server::onShutdown);
  handler.notification("textDocument/didOpen", this, &Server::onOpen);
  handler.notification("textDocument/didChange", this, &Server::onChange);
  handler.notification("textDocument/didClose", this, &Server::onClose);
  handler.method("textDocument/hover", this, &Server::onHover);
  handler.method("textDocument/completion", this, &Server::onCompletion);
  handler.method("textDocument/signatureHelp", this, &Server::onSignature);
  handler.method("textDocument/definition", this, &Server::onDefinition);
  handler.method("textDocument/inlayHint", this, &Server::onHints);
  handler.method("textDocument/documentSymbol", this, &Server::onSymbols);
}

int Server::run() {
  llvm::consumeError(transport.run(handler));
  return isShutDown ? 0 : 1;
}

void Server::onInitialize(const InitializeParams &, Reply reply) {
  json::Object capabilities{
      {"textDocumentSync",
       json::Object{{"openClose", true}, {"change", 2}, {"save", false}}},
      {"positionEncoding", "utf-16"},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"documentSymbolProvider", true},
      {"inlayHintProvider", true},
      {"completionProvider",
       json::Object{{"triggerCharacters", json::Array{"."}}}},
      {"signatureHelpProvider",
       json::Object{{"triggerCharacters", json::Array{"(", ","}}}}};
  reply(json::Object{{"serverInfo", json::Object{{"name", "tegula"}}},
                     {"capabilities", std::move(capabilities)}});
}

void Server::onShutdown(const NoParams &, Reply reply) {
  isShutDown = true;
  files.clear();
  reply(nullptr);
}

void Server::onOpen(const DidOpenTextDocumentParams &params) {
  const TextDocumentItem &item = params.textDocument;
  files.erase(item.uri.file().str());
  files.try_emplace(item.uri.file().str(), item.uri, item.text, item.version);
}

void Server::onChange(const DidChangeTextDocumentParams &params) {
  auto found = files.find(params.textDocument.uri.file().str());
  if (found != files.end())
    found->second.change(params.contentChanges, params.textDocument.version);
}

void Server::onClose(const DidCloseTextDocumentParams &params) {
  if (files.erase(params.textDocument.uri.file().str()))
    publish(PublishDiagnosticsParams(params.textDocument.uri, 0));
}

void Server::survey(OpenFile &file) {
  auto texts = std::make_shared<DiskFiles>();
  for (const auto &[path, open] : files)
    texts->add(path, open.getText());
  file.survey(std::move(texts));
  publish(file.listDiagnostics());
}

OpenFile *Server::find(const URIForFile &uri, Reply &reply) {
  auto found = files.find(uri.file().str());
  if (found != files.end())
    return &found->second;
  reply(llvm::make_error<LSPError>("the file is not open",
                                   ErrorCode::InvalidParams));
  return nullptr;
}

OpenFile *Server::findSurveyed(const URIForFile &uri, Reply &reply) {
  OpenFile *file = find(uri, reply);
  if (file && file->isStale())
    survey(*file);
  return file;
}

void Server::onHover(const TextDocumentPositionParams &params, Reply reply) {
  OpenFile *file = findSurveyed(params.textDocument.uri, reply);
  if (!file)
    return;
  std::optional<Hover> hover = file->hover(params.position);
  reply(hover ? toJSON(*hover) : json::Value(nullptr));
}

void Server::onCompletion(const CompletionParams &params, Reply reply) {
  if (OpenFile *file = find(params.textDocument.uri, reply))
    reply(toJSON(file->complete(params.position)));
}

void Server::onSignature(const TextDocumentPositionParams &params,
                         Reply reply) {
  if (OpenFile *file = find(params.textDocument.uri, reply))
    reply(toJSON(file->helpWithCall(params.position)));
}

/// The entries as an array.
template <typename T> static json::Value toArray(const std::vector<T> &list) {
  json::Array array;
  for (const T &each : list)
    array.push_back(toJSON(each));
  return array;
}

void Server::onDefinition(const TextDocumentPositionParams &params,
                          Reply reply) {
  if (OpenFile *file = find(params.textDocument.uri, reply))
    reply(toArray(file->findDefinition(params.position)));
}

void Server::onHints(const InlayHintsParams &params, Reply reply) {
  if (OpenFile *file = findSurveyed(params.textDocument.uri, reply))
    reply(toArray(file->listHints(params.range)));
}

void Server::onSymbols(const DocumentSymbolParams &params, Reply reply) {
  if (OpenFile *file = find(params.textDocument.uri, reply))
    reply(toArray(file->listSymbols()));
}
