// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A language server: editors send what is typed, and are told what the
/// compiler makes of it. Nothing is run or written.

#ifndef TEGULA_TOOLS_LSP_SERVER_H
#define TEGULA_TOOLS_LSP_SERVER_H

#include "tools/tegula/lsp/OpenFile.h"

#include "llvm/Support/LSP/Transport.h"
#include <map>
#include <string>

namespace tegula {

/// Serves one editor. It is told of files by whole messages; diagnostics go out
/// while the editor is silent.
class Server {
public:
  Server(int input, llvm::raw_ostream &output);

  /// Serves until the editor leaves. The exit code: 0 if it said so before.
  int run();

private:
  using Reply = llvm::lsp::Callback<llvm::json::Value>;

  void onInitialize(const llvm::lsp::InitializeParams &params, Reply reply);
  void onInitialized(const llvm::lsp::NoParams &) {}
  void onShutdown(const llvm::lsp::NoParams &, Reply reply);
  void onOpen(const llvm::lsp::DidOpenTextDocumentParams &params);
  void onChange(const llvm::lsp::DidChangeTextDocumentParams &params);
  void onClose(const llvm::lsp::DidCloseTextDocumentParams &params);
  void onHover(const llvm::lsp::TextDocumentPositionParams &params,
               Reply reply);
  void onCompletion(const llvm::lsp::CompletionParams &params, Reply reply);
  void onSignature(const llvm::lsp::TextDocumentPositionParams &params,
                   Reply reply);
  void onDefinition(const llvm::lsp::TextDocumentPositionParams &params,
                    Reply reply);
  void onHints(const llvm::lsp::InlayHintsParams &params, Reply reply);
  void onSymbols(const llvm::lsp::DocumentSymbolParams &params, Reply reply);

  /// The open file; null after an error has been sent.
  OpenFile *find(const llvm::lsp::URIForFile &uri, Reply &reply);
  /// The same, after the compiler has looked at it.
  OpenFile *findSurveyed(const llvm::lsp::URIForFile &uri, Reply &reply);
  void survey(OpenFile &file);

  llvm::lsp::JSONTransport transport;
  llvm::lsp::MessageHandler handler;
  llvm::lsp::OutgoingNotification<llvm::lsp::PublishDiagnosticsParams> publish;
  std::map<std::string, OpenFile> files;
  bool isShutDown = false;
};

} // namespace tegula

#endif // TEGULA_TOOLS_LSP_SERVER_H
