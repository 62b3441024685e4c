// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands at a position: what a name means, what is proved about its line,
// and where it is defined.
#include "tegula/frontend/builtins/Reference.h"
#include "tools/tegula/lsp/OpenFile.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace tegula;
using llvm::StringRef;
using namespace llvm::lsp;

/// What the reference says of a name below `pl`, as Markdown; empty if nothing.
static std::string documentLanguage(StringRef path) {
  if (!path.consume_front("tensor."))
    path.consume_front("tile.");
  for (const FunctionEntry &entry : listFunctions())
    if (entry.name == path)
      return ("```python\npl." + entry.name + "(" + entry.parameters +
              ")\n```\n" + entry.meaning)
          .str();
  for (const ConstructEntry &entry : listConstructs())
    if (entry.name == path)
      return ("```python\npl." + entry.name +
              (entry.parameters.empty()
                   ? ""
                   : ("(" + entry.parameters + ")").str()) +
              "\n```\n" + entry.meaning)
          .str();
  return "";
}

const NamedLocation *OpenFile::findMeaning(StringRef name,
                                           size_t offset) const {
  unsigned line = lines->lineOf(offset);
  const NamedLocation *best = nullptr;
  for (const NamedLocation &each : known.names) {
    if (each.name != name || each.location.file != uri.file())
      continue;
    if (lines->offsetOf(each.location.line, each.location.column) == offset)
      return &each;
    // The last place above it.
    if (each.location.line <= line)
      best = &each;
  }
  return best;
}

std::optional<Hover> OpenFile::hover(Position position) const {
  size_t offset = lines->offsetOf(position);
  DottedWord word = wordAt(text, offset);
  if (word.path.empty())
    return std::nullopt;
  Hover hover(lines->rangeOf(word.begin, word.end));
  std::string &shown = hover.contents.value;
  if (std::optional<std::string> path = names->languagePath(word.path))
    shown = documentLanguage(*path);
  else if (const NamedLocation *meaning = findMeaning(word.path, word.begin))
    shown = "```python\n" + meaning->name + ": " + meaning->what + "\n```";
  if (shown.empty())
    return std::nullopt;
  unsigned line = lines->lineOf(offset);
  for (const tegula::Diagnostic &fact : known.diagnostics)
    if (fact.severity == Severity::Remark && fact.location.line == line &&
        fact.location.file == uri.file())
      shown += "\n\n" + fact.message;
  return hover;
}

/// Where `name` stands in the module that is imported as `module`, if that is a
/// file next to this one.
static std::vector<Location> findImported(StringRef path, StringRef module,
                                          StringRef name) {
  auto [file, original] = module.split(':');
  llvm::SmallString<256> target = llvm::sys::path::parent_path(path);
  StringRef relative = file.ltrim('.');
  for (size_t up = 1; up < file.size() - relative.size(); ++up)
    target = llvm::sys::path::parent_path(target);
  llvm::SmallVector<StringRef> parts;
  relative.split(parts, '.', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    llvm::sys::path::append(target, part);
  target += ".py";
  auto buffer = llvm::MemoryBuffer::getFile(target);
  llvm::Expected<URIForFile> uri = URIForFile::fromFile(target);
  if (!buffer || !uri) {
    llvm::consumeError(uri.takeError());
    return {};
  }
  SourceNames names((*buffer)->getBuffer());
  TextLines lines((*buffer)->getBuffer());
  StringRef wanted = original.empty() ? name : original;
  for (const NameBinding &binding : names.bindings)
    if (binding.name == wanted && binding.function < 0)
      return {Location(
          *uri, lines.rangeOf(binding.offset, binding.offset + wanted.size()))};
  return {Location(*uri, Range(Position(0, 0)))};
}

std::vector<Location> OpenFile::findDefinition(Position position) const {
  DottedWord word = wordAt(text, lines->offsetOf(position));
  auto [first, rest] = word.path.split('.');
  const NameBinding *binding = names->find(first, word.begin);
  if (!binding)
    return {};
  if (binding->kind == NameBinding::Kind::Import) {
    StringRef wanted = rest.empty() ? first : rest.split('.').first;
    std::vector<Location> found =
        findImported(uri.file(), binding->module, wanted);
    if (!found.empty())
      return found;
  }
  return {
      Location(uri, lines->rangeOf(binding->offset,
                                   binding->offset + binding->name.size()))};
}
