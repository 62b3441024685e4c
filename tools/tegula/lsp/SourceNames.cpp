// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tegula/lsp/SourceNames.h"
#include "tegula/frontend/syntax/Lexer.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace tegula;
using llvm::StringRef;

namespace {

/// The compiler says what is wrong; here it does not matter.
struct Silence : SourceDiagnostics {
  void error(llvm::SMLoc, const llvm::Twine &) override {}
};

/// Goes through the logical lines of a file.
class Reader {
public:
  Reader(SourceNames &names, StringRef text, llvm::ArrayRef<Token> tokens)
      : names(names), text(text), tokens(tokens) {}

  void read();

private:
  size_t offsetOf(const Token &token) const {
    return token.begin ? token.begin - text.data() : text.size();
  }
  void bind(const Token &token, NameBinding::Kind kind,
            std::string module = "") {
    names.bindings.push_back({token.text(), kind,
                              open.empty() ? -1 : open.back().function,
                              offsetOf(token), std::move(module)});
  }
  void readLine(llvm::ArrayRef<Token> line);
  void readDefinition(llvm::ArrayRef<Token> line);
  void readImport(llvm::ArrayRef<Token> line);
  void readTargets(llvm::ArrayRef<Token> line);

  /// A function whose body is being read, and how deep it stands.
  struct Open {
    int function;
    int depth;
  };

  SourceNames &names;
  StringRef text;
  llvm::ArrayRef<Token> tokens;
  std::vector<Open> open;
  int depth = 0;
};

} // namespace

void Reader::read() {
  size_t begin = 0;
  for (size_t at = 0; at != tokens.size(); ++at) {
    const Token &token = tokens[at];
    bool isIndent = token.kind == TokenKind::Indent;
    bool isDedent = token.kind == TokenKind::Dedent;
    if (isIndent || isDedent) {
      depth += isIndent ? 1 : -1;
      // The function ends where a statement stands no deeper than it.
      while (isDedent && !open.empty() && depth <= open.back().depth) {
        names.functions[open.back().function].end = offsetOf(token);
        open.pop_back();
      }
      begin = at + 1;
      continue;
    }
    if (token.kind == TokenKind::Newline || token.kind == TokenKind::End) {
      readLine(tokens.slice(begin, at - begin));
      begin = at + 1;
    }
  }
}

void Reader::readLine(llvm::ArrayRef<Token> line) {
  while (!open.empty() && depth <= open.back().depth && !line.empty()) {
    // A body of one line, or none yet.
    names.functions[open.back().function].end = offsetOf(line.front());
    open.pop_back();
  }
  if (line.empty())
    return;
  if (line.front().kind == TokenKind::Async)
    line = line.drop_front();
  if (line.empty())
    return;
  switch (line.front().kind) {
  case TokenKind::Def:
    return readDefinition(line);
  case TokenKind::Class:
    if (line.size() > 1)
      bind(line[1], NameBinding::Kind::Class);
    return;
  case TokenKind::Import:
  case TokenKind::From:
    return readImport(line);
  default:
    return readTargets(line);
  }
}

void Reader::readDefinition(llvm::ArrayRef<Token> line) {
  if (line.size() < 2 || line[1].kind != TokenKind::Name)
    return;
  bind(line[1], NameBinding::Kind::Function);
  names.functions.push_back(
      {line[1].text(), offsetOf(line[0]), text.size(), {}});
  open.push_back({int(names.functions.size()) - 1, depth});
  int brackets = 0;
  for (size_t at = 2; at != line.size(); ++at) {
    TokenKind kind = line[at].kind, before = line[at - 1].kind;
    brackets += kind == TokenKind::LeftParen || kind == TokenKind::LeftSquare;
    brackets -= kind == TokenKind::RightParen || kind == TokenKind::RightSquare;
    if (brackets == 1 && kind == TokenKind::Name &&
        (before == TokenKind::LeftParen || before == TokenKind::Comma ||
         before == TokenKind::Star || before == TokenKind::DoubleStar)) {
      bind(line[at], NameBinding::Kind::Parameter);
      names.functions.back().parameters.push_back(line[at].text());
    }
  }
}

void Reader::readImport(llvm::ArrayRef<Token> line) {
  std::string module;
  size_t at = 1;
  if (line.front().kind == TokenKind::From)
    for (; at < line.size() && line[at].kind != TokenKind::Import; ++at)
      module += line[at].text();
  std::string path;
  for (; at < line.size(); ++at) {
    bool isLast = at + 1 == line.size() ||
                  line[at + 1].kind == TokenKind::Comma ||
                  line[at + 1].kind == TokenKind::RightParen;
    if (line[at].kind == TokenKind::Comma)
      path.clear();
    else if (line[at].kind == TokenKind::Name && isLast)
      bind(line[at], NameBinding::Kind::Import,
           line.front().kind == TokenKind::From
               ? (path.empty() ? module : module + ":" + path)
               : path + (path.empty() || path.back() == '.' ? line[at].text()
                                                            : StringRef())
                            .str());
    else if (line[at].kind == TokenKind::Name ||
             line[at].kind == TokenKind::Dot)
      path += line[at].text();
  }
}

/// Names before an `=`, and between `for` and `in` and behind `as`.
void Reader::readTargets(llvm::ArrayRef<Token> line) {
  int brackets = 0;
  size_t lastEqual = 0;
  for (auto [at, token] : llvm::enumerate(line)) {
    brackets += token.kind == TokenKind::LeftParen ||
                token.kind == TokenKind::LeftSquare ||
                token.kind == TokenKind::LeftBrace;
    brackets -= token.kind == TokenKind::RightParen ||
                token.kind == TokenKind::RightSquare ||
                token.kind == TokenKind::RightBrace;
    if (brackets == 0 && (token.kind == TokenKind::Equal ||
                          (token.kind == TokenKind::Colon && at == 1)))
      lastEqual = at;
  }
  bool isTarget = false, isCalled = false;
  for (auto [at, token] : llvm::enumerate(line)) {
    if (token.kind == TokenKind::For)
      isTarget = true;
    if (token.kind == TokenKind::In)
      isTarget = false;
    if (token.kind != TokenKind::Name)
      continue;
    TokenKind before = at ? line[at - 1].kind : TokenKind::Newline;
    TokenKind after = at + 1 < line.size() ? line[at + 1].kind : TokenKind::End;
    bool isPart = before == TokenKind::Dot || after == TokenKind::Dot ||
                  after == TokenKind::LeftParen ||
                  after == TokenKind::LeftSquare;
    isCalled |= at < lastEqual && isPart;
    if (!isPart &&
        (isTarget || before == TokenKind::As || (at < lastEqual && !isCalled)))
      bind(token, NameBinding::Kind::Variable);
  }
}

SourceNames::SourceNames(StringRef text) {
  Silence silence;
  std::vector<Token> tokens = lex(text, silence, /*maxErrors=*/1000);
  Reader(*this, text, tokens).read();
}

std::vector<const NameBinding *> SourceNames::visibleAt(size_t offset) const {
  llvm::StringMap<const NameBinding *> visible;
  for (const NameBinding &binding : bindings) {
    bool isInside = binding.function < 0;
    if (!isInside) {
      const FunctionSpan &span = functions[binding.function];
      isInside = span.begin <= offset && offset <= span.end;
    }
    if (!isInside)
      continue;
    const NameBinding *&best = visible[binding.name];
    // The inner function counts, and there the last binding before the
    // position.
    if (!best || binding.function > best->function ||
        (binding.function == best->function && binding.offset <= offset))
      best = &binding;
  }
  std::vector<const NameBinding *> list;
  for (const auto &entry : visible)
    list.push_back(entry.second);
  llvm::sort(list, [](const NameBinding *lhs, const NameBinding *rhs) {
    return lhs->offset < rhs->offset;
  });
  return list;
}

const NameBinding *SourceNames::find(StringRef name, size_t offset) const {
  for (const NameBinding *binding : visibleAt(offset))
    if (binding->name == name)
      return binding;
  return nullptr;
}

const FunctionSpan *SourceNames::findFunction(StringRef name) const {
  for (const FunctionSpan &span : functions)
    if (span.name == name)
      return &span;
  return nullptr;
}

std::optional<std::string> SourceNames::languagePath(StringRef path) const {
  auto [first, rest] = path.split('.');
  if (!path.contains('.'))
    return std::nullopt;
  for (const NameBinding &binding : bindings) {
    if (binding.kind != NameBinding::Kind::Import || binding.name != first)
      continue;
    if (binding.module == "tegula.language" ||
        binding.module == "tegula:language")
      return rest.str();
    if (binding.module == "tegula.language.distributed")
      return "distributed." + rest.str();
  }
  return std::nullopt;
}

static bool isWord(char c) {
  return llvm::isAlnum(c) || c == '_' || (c & 0x80);
}

DottedWord tegula::wordAt(StringRef text, size_t offset) {
  size_t begin = offset, end = offset;
  while (begin > 0 && (isWord(text[begin - 1]) || text[begin - 1] == '.'))
    --begin;
  while (end < text.size() && isWord(text[end]))
    ++end;
  return {begin, end, text.slice(begin, end)};
}

std::optional<EnclosingCall> tegula::callAround(StringRef text, size_t offset) {
  // As far back as any call goes.
  constexpr size_t maxDistance = 4000;
  int brackets = 0;
  unsigned commas = 0;
  size_t least = offset > maxDistance ? offset - maxDistance : 0;
  for (size_t at = offset; at > least; --at) {
    char c = text[at - 1];
    if (c == ')' || c == ']' || c == '}')
      ++brackets;
    else if (c == ',' && brackets == 0)
      ++commas;
    else if ((c == '(' || c == '[' || c == '{') && brackets-- == 0) {
      if (c != '(') {
        // Commas so far are those of a list.
        brackets = 0;
        commas = 0;
        continue;
      }
      DottedWord callee = wordAt(text, at - 1);
      if (callee.path.empty())
        return std::nullopt;
      return EnclosingCall{text.slice(callee.begin, at - 1), commas};
    }
  }
  return std::nullopt;
}
