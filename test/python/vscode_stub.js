// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As much of VS Code as the extension uses: it activates, opens a file, asks every provider, and prints what they say.
"use strict";

const Module = require("module");
const [, , extension, command, text] = process.argv;
const heard = {};
const providers = {};
const plain = (name) =>
  class {
    constructor(...args) {
      this.kind = name;
      this.args = args;
    }
  };
const on = (name) => (callback) => ((heard[name] = callback), { dispose() {} });
const register = (name) => (selector, provider) => ((providers[name] = provider), { dispose() {} });
const shown = new Map();
let told = null;
const diagnostics = new Promise((resolve) => (told = resolve));
const vscode = {
  workspace: {
    getConfiguration: () => ({ get: (name) => (name === "command" ? command : true) }),
    textDocuments: [],
    onDidOpenTextDocument: on("open"),
    onDidChangeTextDocument: on("change"),
    onDidCloseTextDocument: on("close"),
  },
  window: { showWarningMessage: (words) => console.log("warning:", words) },
  languages: {
    createDiagnosticCollection: () => ({ set: (uri, list) => (shown.set(uri, list), told()), clear() {}, dispose() {} }),
    registerHoverProvider: register("hover"),
    registerDefinitionProvider: register("definition"),
    registerCompletionItemProvider: register("completion"),
    registerSignatureHelpProvider: register("signature"),
    registerInlayHintsProvider: register("hints"),
  },
  commands: { registerCommand: (name, run) => ((heard[name] = run), { dispose() {} }) },
  Uri: { parse: (uri) => uri },
  InlayHintKind: { Type: 1 },
};
for (const name of [
  "Range", "Position", "Location", "Diagnostic", "DiagnosticRelatedInformation", "Hover", "MarkdownString",
  "CompletionItem", "SignatureHelp", "SignatureInformation", "ParameterInformation", "InlayHint",
])
  vscode[name] = plain(name);

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const { activate, deactivate } = require(extension);
const document = {
  uri: { scheme: "file", toString: () => "file:///kernel.py" },
  languageId: "python",
  version: 1,
  getText: () => text,
};
vscode.workspace.textDocuments.push(document);

(async () => {
  activate({ subscriptions: [] });
  await diagnostics;
  const lines = text.split("\n");
  const line = lines.findIndex((each) => each.includes("row_sum"));
  const at = { line, character: lines[line].indexOf("row_sum") + 3 };
  const hover = await providers.hover.provideHover(document, at);
  const items = await providers.completion.provideCompletionItems(document, at);
  const definitions = await providers.definition.provideDefinition(document, { line, character: at.character - 5 });
  const help = await providers.signature.provideSignatureHelp(document, { line, character: at.character + 5 });
  const all = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  const hints = await providers.hints.provideInlayHints(document, all);
  console.log(
    JSON.stringify({
      problems: [...shown.values()].flat().length,
      hover: hover.args[0].args[0],
      items: items.length,
      definitions: definitions.length,
      call: help.signatures[0].args[0],
      hints: hints.map((hint) => hint.args[1]),
    }),
  );
  await deactivate();
})();
