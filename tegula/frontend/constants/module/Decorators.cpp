// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/module/Decorators.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/Levels.h"
#include "tegula/frontend/constants/NamesElsewhere.h"
#include "tegula/frontend/diagnostics/NearestNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;
using Kind = pl::FunctionKind;

namespace {

/// A decorator and the keyword arguments it takes.
struct KnownDecorator {
  StringRef path;
  Kind kind;
  std::vector<StringRef> keywords;
};

} // namespace

static const KnownDecorator *findDecorator(StringRef path) {
  static const KnownDecorator known[] = {
      {"jit",
       Kind::Entry,
       {"auto_scope", "dynamic", "target", "debug", "strict"}},
      {"jit.incore", Kind::InCore, {"level", "core_type"}},
      {"jit.inline", Kind::Inline, {"auto_scope"}},
      {"jit.opaque", Kind::Opaque, {}},
      {"jit.host", Kind::Host, {"auto_scope"}},
      {"jit.graph", Kind::Inline, {"auto_scope"}},
      {"inline", Kind::Inline, {}},
      {"function",
       Kind::Opaque,
       {"type", "level", "role", "attrs", "auto_scope", "strict_ssa",
        "core_type"}}};
  const auto *found = llvm::find_if(
      known, [&](const KnownDecorator &entry) { return entry.path == path; });
  return found == std::end(known) ? nullptr : found;
}

std::optional<Kind> tegula::kindOfDecorator(StringRef path) {
  const KnownDecorator *known = findDecorator(path);
  return known ? std::optional(known->kind) : std::nullopt;
}

/// The kind that `type=pl.FunctionType.InCore` means.
static std::optional<Kind> kindOfType(const Object &object) {
  const std::string *path = object.asLanguage();
  StringRef name = path ? StringRef(*path) : StringRef();
  if (!name.consume_front("FunctionType."))
    return std::nullopt;
  return llvm::StringSwitch<std::optional<Kind>>(name)
      .Case("Orchestration", Kind::Entry)
      .Cases({"InCore", "AIC", "AIV", "Group", "Spmd"}, Kind::InCore)
      .Case("Inline", Kind::Inline)
      .Cases({"Opaque", "Graph"}, Kind::Opaque)
      .Default(std::nullopt);
}

/// What is chosen by a keyword that is true or false; null if it is none.
static bool Decoration::*findChoice(StringRef keyword) {
  return llvm::StringSwitch<bool Decoration::*>(keyword)
      .Case("dynamic", &Decoration::isDynamic)
      .Case("debug", &Decoration::isDebug)
      .Case("strict", &Decoration::isStrict)
      .Default(nullptr);
}

/// The name under `pl.Role` or the like; empty if it is something else.
static std::string nameUnder(StringRef space, const Object &object) {
  const std::string *path = object.asLanguage();
  StringRef name = path ? StringRef(*path) : StringRef();
  return name.consume_front(space) ? name.str() : "";
}

/// Takes what `type=`, `level=` and `role=` say; the mistake, or nothing.
static std::string readPlacement(const ast::Keyword &keyword,
                                 const Object &value, Decoration &decoration) {
  if (keyword.name == "level") {
    decoration.traits.level = levelOf(value);
    return decoration.traits.level || value.is<NoneObject>()
               ? ""
               : "the level of a function is one of pl.Level, such as "
                 "pl.Level.CORE_GROUP";
  }
  if (keyword.name == "role") {
    decoration.traits.role = nameUnder("Role.", value);
    return !decoration.traits.role.empty() || value.is<NoneObject>()
               ? ""
               : "the role of a function is one of pl.Role, such as "
                 "pl.Role.SubWorker";
  }
  std::optional<Kind> kind = kindOfType(value);
  if (!kind)
    return "the type of a function is one of pl.FunctionType: Opaque, "
           "Orchestration, InCore, AIC, AIV, Group, Spmd, Inline, Graph";
  decoration.kind = kind;
  if (std::optional<pl::Level> level = levelOfType(value))
    decoration.traits.level = level;
  std::string type = nameUnder("FunctionType.", value);
  if (type == "Group" || type == "Spmd")
    decoration.traits.role = type;
  return "";
}

/// Checks the keyword arguments and takes what they choose.
static void readKeywords(const ast::Call &call, const KnownDecorator &known,
                         const SourceText &source, NameLookup lookup,
                         Decoration &decoration) {
  auto fail = [&](llvm::SMLoc loc, const llvm::Twine &message) {
    decoration.mistakes.push_back({source.locate(loc), message.str()});
  };
  if (!call.args.empty())
    return fail(call.args.front()->loc,
                "@pl." + known.path + " takes keyword arguments only");
  for (const ast::Keyword &keyword : call.keywords) {
    auto value = [&] {
      return evaluateConstant(*keyword.value, source, lookup);
    };
    if (keyword.name == "external_source")
      fail(keyword.loc, "a function in another language cannot be bound; write "
                        "its body here");
    else if (!llvm::is_contained(known.keywords, keyword.name))
      fail(keyword.loc,
           "@pl." + known.path + " takes no '" + keyword.name + "='" +
               (keyword.name == "level"
                    ? "; a level belongs to @pl.jit.incore"
                    : nearestParameter(keyword.name, known.keywords)));
    else if (bool Decoration::*choice = findChoice(keyword.name))
      decoration.*choice = isTrue(value());
    else if (keyword.name == "type" || keyword.name == "level" ||
             keyword.name == "role")
      if (std::string mistake = readPlacement(keyword, value(), decoration);
          !mistake.empty())
        fail(keyword.value->loc, mistake);
  }
}

static std::string whyNot(StringRef path) {
  if (path == "jit.extern")
    return "@pl.jit.extern binds a kernel to code for one machine; write its "
           "body here under @pl.jit.incore";
  if (path.starts_with("jit."))
    return ("'pl." + path +
            "' is not a kind of kernel; the kinds are pl.jit, pl.jit.incore, "
            "pl.jit.inline, pl.jit.graph, pl.jit.opaque and pl.jit.host")
        .str();
  if (path == "program")
    return "@pl.program belongs to a class";
  return ("the decorator 'pl." + path +
          "' is not supported; use @pl.jit and its kinds")
             .str() +
         didYouMean(path, {"jit", "inline", "function"}, "@pl.");
}

std::string tegula::nameOfDefault(StringRef function, StringRef parameter) {
  return (function + "(" + parameter + "=)").str();
}

Decoration tegula::readDecorators(const ast::FunctionDef &node,
                                  const SourceText &source, NameLookup lookup) {
  Decoration decoration;
  for (const ast::ExprPtr &decorator : node.decorators) {
    const auto *call = std::get_if<ast::Call>(&decorator->node);
    const ast::Expr *expr = call ? call->callee.get() : decorator.get();
    Object object = evaluateConstant(*expr, source, lookup);
    const std::string *path = object.asLanguage();
    if (!path && object.is<UnusableObject>() &&
        StringRef(ast::dottedName(*expr)).starts_with("pl."))
      decoration.mistakes.push_back(
          {source.locate(expr->loc),
           "'pl' is not the kernel language here; write 'import "
           "tegula.language as pl'"});
    if (!path)
      continue;
    const KnownDecorator *known = findDecorator(*path);
    if (!known) {
      decoration.isForeign |= *path == "jit.extern";
      decoration.mistakes.push_back({source.locate(expr->loc), whyNot(*path)});
      continue;
    }
    decoration.kind = known->kind;
    decoration.traits.derivesDirections = known->path == "function";
    if (call)
      readKeywords(*call, *known, source, lookup, decoration);
  }
  // What orchestrates hosts is run by all of them.
  bool isForHosts = decoration.traits.level == pl::Level::Host &&
                    decoration.traits.role != "SubWorker";
  if (isForHosts &&
      (decoration.kind == Kind::Opaque || decoration.kind == Kind::Entry))
    decoration.kind = Kind::Host;
  if (decoration.kind && node.asyncLoc.isValid())
    decoration.mistakes.push_back(
        {source.locate(node.asyncLoc),
         ast::Unsupported{"'async def'",
                          "kernels run to their end; write 'def'"}
             .message()});
  return decoration;
}
