// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Connects VS Code to `tegula lsp`. Files that do not import the language are left alone.
"use strict";

const vscode = require("vscode");
const { Connection } = require("./connection");

const SELECTOR = [{ language: "python", scheme: "file" }];
let server = null;
let problems = null;
const open = new Set();

const isKernelFile = (document) =>
  document.languageId === "python" && document.uri.scheme === "file" && document.getText().includes("tegula.language");
const toRange = (range) =>
  new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
const toPosition = (document, position) => ({
  textDocument: { uri: document.uri.toString() },
  position: { line: position.line, character: position.character },
});

function start() {
  const settings = vscode.workspace.getConfiguration("tegula");
  open.clear();
  server = new Connection(settings.get("command"), ["lsp"], hear, (reason) => {
    problems.clear();
    vscode.window.showWarningMessage(`Tegula: ${reason}; set tegula.command to the path of the command`);
  });
  server
    .request("initialize", { processId: process.pid, rootUri: null, capabilities: {} })
    .then(() => {
      server.notify("initialized", {});
      vscode.workspace.textDocuments.forEach(opened);
    })
    .catch(() => {});
}

function hear(method, params) {
  if (method !== "textDocument/publishDiagnostics") return;
  const shown = params.diagnostics.map((found) => {
    const problem = new vscode.Diagnostic(toRange(found.range), found.message, found.severity - 1);
    problem.source = found.source;
    problem.relatedInformation = (found.relatedInformation || []).map(
      (each) =>
        new vscode.DiagnosticRelatedInformation(
          new vscode.Location(vscode.Uri.parse(each.location.uri), toRange(each.location.range)),
          each.message,
        ),
    );
    return problem;
  });
  problems.set(vscode.Uri.parse(params.uri), shown);
}

function opened(document) {
  const uri = document.uri.toString();
  if (!isKernelFile(document) || open.has(uri)) return;
  open.add(uri);
  const { version } = document;
  server.notify("textDocument/didOpen", {
    textDocument: { uri, languageId: "python", version, text: document.getText() },
  });
}

function changed(event) {
  const uri = event.document.uri.toString();
  if (!open.has(uri)) {
    opened(event.document);
    return;
  }
  const contentChanges = event.contentChanges.map(({ range, text }) => ({
    range: { start: toPosition(event.document, range.start).position, end: toPosition(event.document, range.end).position },
    text,
  }));
  server.notify("textDocument/didChange", { textDocument: { uri, version: event.document.version }, contentChanges });
}

function closed(document) {
  const uri = document.uri.toString();
  if (open.delete(uri)) server.notify("textDocument/didClose", { textDocument: { uri } });
}

/** The answer to a request about a file that the server knows; null otherwise. */
async function ask(document, method, params) {
  if (!open.has(document.uri.toString())) return null;
  return server.request(`textDocument/${method}`, params).catch(() => null);
}

const providers = {
  async provideHover(document, position) {
    const found = await ask(document, "hover", toPosition(document, position));
    return found && new vscode.Hover(new vscode.MarkdownString(found.contents.value));
  },
  async provideDefinition(document, position) {
    const found = await ask(document, "definition", toPosition(document, position));
    return (found || []).map((each) => new vscode.Location(vscode.Uri.parse(each.uri), toRange(each.range)));
  },
  async provideCompletionItems(document, position) {
    const found = await ask(document, "completion", { ...toPosition(document, position), context: { triggerKind: 1 } });
    return (found ? found.items : []).map((each) => {
      const item = new vscode.CompletionItem(each.label, each.kind - 1);
      item.detail = each.detail;
      item.sortText = each.sortText;
      if (each.documentation) item.documentation = new vscode.MarkdownString(each.documentation.value);
      return item;
    });
  },
  async provideSignatureHelp(document, position) {
    const found = await ask(document, "signatureHelp", toPosition(document, position));
    if (!found || !found.signatures.length) return null;
    const help = new vscode.SignatureHelp();
    help.signatures = found.signatures.map((each) => {
      const shown = new vscode.SignatureInformation(each.label, each.documentation);
      shown.parameters = (each.parameters || []).map((one) => new vscode.ParameterInformation(one.label));
      return shown;
    });
    help.activeSignature = 0;
    help.activeParameter = found.activeParameter;
    return help;
  },
  async provideInlayHints(document, range) {
    if (!vscode.workspace.getConfiguration("tegula").get("hints")) return [];
    const shown = { start: toPosition(document, range.start).position, end: toPosition(document, range.end).position };
    const params = { textDocument: { uri: document.uri.toString() }, range: shown };
    return ((await ask(document, "inlayHint", params)) || []).map(
      (each) =>
        new vscode.InlayHint(
          new vscode.Position(each.position.line, each.position.character),
          each.label,
          vscode.InlayHintKind.Type,
        ),
    );
  },
};

function activate(context) {
  problems = vscode.languages.createDiagnosticCollection("tegula");
  context.subscriptions.push(
    problems,
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidChangeTextDocument(changed),
    vscode.workspace.onDidCloseTextDocument(closed),
    vscode.languages.registerHoverProvider(SELECTOR, providers),
    vscode.languages.registerDefinitionProvider(SELECTOR, providers),
    vscode.languages.registerCompletionItemProvider(SELECTOR, providers, "."),
    vscode.languages.registerSignatureHelpProvider(SELECTOR, providers, "(", ","),
    vscode.languages.registerInlayHintsProvider(SELECTOR, providers),
    vscode.commands.registerCommand("tegula.restart", async () => {
      await server.close();
      start();
    }),
  );
  start();
}

function deactivate() {
  return server && server.close();
}

module.exports = { activate, deactivate };
