// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What could be written at a position: names below `pl`, names of the file, and
// arguments by name.
#include "tegula/frontend/builtins/Reference.h"
#include "tools/tegula/lsp/OpenFile.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using llvm::StringRef;
using namespace llvm::lsp;

namespace {

/// A function as it is called.
struct Callable {
  std::string label;
  std::string meaning;
  /// Without the `=` of those that may be left out.
  std::vector<std::string> parameters;
};

} // namespace

static std::vector<std::string> splitParameters(StringRef text) {
  std::vector<std::string> parameters;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ", ", -1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    parameters.push_back(part.rtrim('=').str());
  return parameters;
}

static std::optional<Callable> findCallable(const SourceNames &names,
                                            StringRef callee) {
  if (std::optional<std::string> path = names.languagePath(callee)) {
    StringRef name = *path;
    if (!name.consume_front("tensor."))
      name.consume_front("tile.");
    for (const FunctionEntry &entry : listFunctions())
      if (entry.name == name)
        return Callable{
            ("pl." + entry.name + "(" + entry.parameters + ")").str(),
            entry.meaning.str(), splitParameters(entry.parameters)};
    for (const ConstructEntry &entry : listConstructs())
      if (entry.name == name)
        return Callable{
            ("pl." + entry.name + "(" + entry.parameters + ")").str(),
            entry.meaning.str(), splitParameters(entry.parameters)};
    return std::nullopt;
  }
  const FunctionSpan *function = names.findFunction(callee);
  if (!function)
    return std::nullopt;
  Callable found;
  for (StringRef parameter : function->parameters) {
    found.label += (found.label.empty() ? "" : ", ") + parameter.str();
    found.parameters.push_back(parameter.str());
  }
  found.label = callee.str() + "(" + found.label + ")";
  return found;
}

static CompletionItem makeItem(StringRef label, CompletionItemKind kind,
                               StringRef detail, StringRef meaning,
                               StringRef rank) {
  CompletionItem item(label, kind, (rank + label).str());
  item.detail = detail.str();
  if (!meaning.empty())
    item.documentation = MarkupContent{MarkupKind::Markdown, meaning.str()};
  return item;
}

/// What stands below `prefix`, which is empty or ends with a dot; one level.
static void addLanguage(StringRef prefix, std::vector<CompletionItem> &items) {
  StringRef space = prefix;
  if (!space.consume_front("tensor."))
    space.consume_front("tile.");
  auto add = [&](StringRef name, StringRef parameters, StringRef meaning,
                 CompletionItemKind kind) {
    if (!name.consume_front(space))
      return;
    auto [first, rest] = name.split('.');
    if (!rest.empty()) {
      if (llvm::none_of(items, [&, &inner = first](const CompletionItem &item) {
            return item.label == inner;
          }))
        items.push_back(
            makeItem(first, CompletionItemKind::Module, "", "", "0"));
      return;
    }
    std::string detail =
        parameters.empty() ? "" : ("(" + parameters + ")").str();
    items.push_back(makeItem(name, kind, detail, meaning, "0"));
  };
  for (const FunctionEntry &entry : listFunctions())
    add(entry.name, entry.parameters, entry.meaning,
        CompletionItemKind::Function);
  for (const ConstructEntry &entry : listConstructs())
    add(entry.name, entry.parameters, entry.meaning,
        entry.parameters.empty() ? CompletionItemKind::Class
                                 : CompletionItemKind::Keyword);
}

CompletionList OpenFile::complete(Position position) const {
  CompletionList list;
  size_t offset = lines->offsetOf(position);
  DottedWord word = wordAt(text, offset);
  StringRef typed = StringRef(text).slice(word.begin, offset);
  if (typed.contains('.')) {
    StringRef before = typed.take_front(typed.rfind('.') + 1);
    if (std::optional<std::string> path = names->languagePath(before))
      addLanguage(*path, list.items);
    return list;
  }
  std::optional<EnclosingCall> call = callAround(text, word.begin);
  if (call)
    if (std::optional<Callable> callee = findCallable(*names, call->callee))
      for (const std::string &parameter : callee->parameters)
        if (!StringRef(parameter).starts_with("*"))
          list.items.push_back(makeItem(parameter + "=",
                                        CompletionItemKind::Property,
                                        callee->label, "", "0"));
  for (const NameBinding *binding : names->visibleAt(offset)) {
    if (binding->offset == word.begin)
      continue;
    CompletionItemKind kind = binding->kind == NameBinding::Kind::Function
                                  ? CompletionItemKind::Function
                              : binding->kind == NameBinding::Kind::Class
                                  ? CompletionItemKind::Class
                              : binding->kind == NameBinding::Kind::Import
                                  ? CompletionItemKind::Module
                                  : CompletionItemKind::Variable;
    const NamedLocation *meaning = findMeaning(binding->name, offset);
    list.items.push_back(
        makeItem(binding->name, kind, meaning ? meaning->what : "", "", "1"));
  }
  return list;
}

SignatureHelp OpenFile::helpWithCall(Position position) const {
  SignatureHelp help;
  std::optional<EnclosingCall> call =
      callAround(text, lines->offsetOf(position));
  std::optional<Callable> callee =
      call ? findCallable(*names, call->callee) : std::nullopt;
  if (!callee)
    return help;
  SignatureInformation signature;
  signature.label = callee->label;
  signature.documentation = callee->meaning;
  for (const std::string &parameter : callee->parameters) {
    ParameterInformation information;
    information.labelString = parameter;
    signature.parameters.push_back(std::move(information));
  }
  help.signatures.push_back(std::move(signature));
  help.activeParameter = call->argument;
  return help;
}
