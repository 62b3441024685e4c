// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/run/CheckAt.h"

#include "tools/tegula/lsp/OpenFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;
namespace json = llvm::json;

static Expected<llvm::lsp::Position> readPosition(llvm::StringRef text) {
  auto [line, column] = text.split(':');
  int number = 0, character = 0;
  if (line.getAsInteger(10, number) || column.getAsInteger(10, character) ||
      number < 1 || character < 1)
    return makeError("option '--at' wants LINE:COLUMN, counted from 1, got "
                     "'{0}'",
                     text);
  return llvm::lsp::Position(number - 1, character - 1);
}

static json::Array toJson(llvm::lsp::CompletionList list) {
  llvm::sort(list.items, [](const auto &lhs, const auto &rhs) {
    return lhs.sortText < rhs.sortText;
  });
  json::Array offers;
  for (const llvm::lsp::CompletionItem &item : list.items)
    offers.push_back(json::Object{
        {"label", json::fixUTF8(item.label)},
        {"detail", json::fixUTF8(item.detail)},
        {"meaning", json::fixUTF8(item.documentation ? item.documentation->value
                                                     : std::string())}});
  return offers;
}

Expected<int> tegula::checkAt(const KernelSource &source,
                              llvm::StringRef where) {
  Expected<llvm::lsp::Position> position = readPosition(where);
  if (!position)
    return position.takeError();
  llvm::SmallString<256> path(source.path);
  llvm::sys::fs::make_absolute(path);
  Expected<llvm::lsp::URIForFile> uri = llvm::lsp::URIForFile::fromFile(path);
  if (!uri)
    return uri.takeError();
  OpenFile file(*uri, *source.text, /*version=*/0);
  file.survey(source.files);
  json::Object found{{"offers", toJson(file.complete(*position))}};
  if (std::optional<llvm::lsp::Hover> hover = file.hover(*position))
    found["hover"] = json::fixUTF8(hover->contents.value);
  llvm::lsp::SignatureHelp help = file.helpWithCall(*position);
  if (!help.signatures.empty())
    found["call"] = json::fixUTF8(help.signatures.front().label);
  llvm::outs() << llvm::formatv("{0:2}\n", json::Value(std::move(found)));
  return 0;
}
