// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/irgen/signature/WrittenParameters.h"
#include "tegula/frontend/constants/Environment.h"
#include "llvm/ADT/StringMap.h"
#include <map>

using namespace tegula;
using llvm::StringRef;

namespace {

using Written = std::map<const KernelFunction *, NameSet>;

/// Looks at one function.
class Search {
public:
  Search(const KernelFunction &function, Written &known)
      : function(function), known(known) {
    for (const ast::Param &param : function.getParams())
      aliases[param.name].insert(param.name);
  }

  NameSet run() {
    Stmts body = function.getDefinition().body;
    // A loop may use a name before it gives it a meaning.
    for (int round = 0; round < 2; ++round) {
      visit(body);
      walkExprs(body, [&](const ast::Expr &expr) {
        if (const auto *call = std::get_if<ast::Call>(&expr.node))
          visit(*call);
      });
    }
    return std::move(written);
  }

private:
  void visit(Stmts stmts);
  void visit(const ast::Call &call);
  void visitTarget(const ast::Expr &target, const NameSet &value);
  NameSet partOf(const ast::Expr &expr);
  /// `reshape` of `pl.tensor.reshape`; nothing if it is not of the language.
  std::optional<StringRef> languageName(const std::string &path);
  void write(const ast::Expr &expr) {
    NameSet parts = partOf(expr);
    written.insert(parts.begin(), parts.end());
  }

  const KernelFunction &function;
  Written &known;
  /// The parameters that a name may be a part of.
  llvm::StringMap<NameSet> aliases;
  NameSet written;
};

} // namespace

static NameSet search(const KernelFunction &function, Written &known) {
  // A function that calls itself is an error that is found elsewhere.
  auto [found, isNew] = known.insert({&function, NameSet()});
  if (isNew)
    found->second = Search(function, known).run();
  return found->second;
}

std::optional<StringRef> Search::languageName(const std::string &path) {
  StringRef first = StringRef(path).split('.').first;
  std::optional<Object> object = function.getEnvironment().lookup(first);
  if (!object || !object->asLanguage())
    return std::nullopt;
  StringRef name = path;
  return name.substr(name.rfind('.') + 1);
}

/// The parameters that the value of an expression may be a part of.
NameSet Search::partOf(const ast::Expr &expr) {
  NameSet parts;
  auto add = [&](const ast::Expr &inner) {
    NameSet more = partOf(inner);
    parts.insert(more.begin(), more.end());
  };
  if (const auto *name = std::get_if<ast::Name>(&expr.node))
    return aliases.lookup(name->id);
  if (const auto *subscript = std::get_if<ast::Subscript>(&expr.node))
    return partOf(*subscript->value);
  if (const auto *tuple = std::get_if<ast::Tuple>(&expr.node)) {
    for (const ast::ExprPtr &element : tuple->elements)
      add(*element);
    return parts;
  }
  const auto *call = std::get_if<ast::Call>(&expr.node);
  if (!call)
    return parts;
  static constexpr llvm::StringLiteral views[] = {
      "reshape", "slice",  "view",        "assemble", "store",    "write",
      "no_dep",  "submit", "spmd_submit", "range",    "parallel", "pipeline"};
  std::optional<StringRef> name = languageName(ast::dottedName(*call->callee));
  if (name && !llvm::is_contained(views, *name))
    return parts;
  for (const ast::ExprPtr &argument : call->args)
    add(*argument);
  for (const ast::Keyword &keyword : call->keywords)
    add(*keyword.value);
  return parts;
}

void Search::visitTarget(const ast::Expr &target, const NameSet &value) {
  if (const auto *name = std::get_if<ast::Name>(&target.node)) {
    aliases[name->id].insert(value.begin(), value.end());
  } else if (const auto *tuple = std::get_if<ast::Tuple>(&target.node)) {
    for (const ast::ExprPtr &element : tuple->elements)
      visitTarget(*element, value);
  } else if (std::holds_alternative<ast::Subscript>(target.node)) {
    write(target);
  }
}

void Search::visit(Stmts stmts) {
  for (const ast::StmtPtr &stmt : stmts) {
    if (const auto *assign = std::get_if<ast::Assign>(&stmt->node))
      for (const ast::ExprPtr &target : assign->targets)
        visitTarget(*target, partOf(*assign->value));
    if (const auto *assign = std::get_if<ast::AnnAssign>(&stmt->node))
      if (assign->value)
        visitTarget(*assign->target, partOf(*assign->value));
    if (const auto *assign = std::get_if<ast::AugAssign>(&stmt->node))
      visitTarget(*assign->target, {});
    if (const auto *loop = std::get_if<ast::For>(&stmt->node))
      visitTarget(*loop->target, partOf(*loop->iter));
    forEachBlock(*stmt, [&](Stmts block) { visit(block); });
  }
}

/// True of `pl.Out[...]` and `pl.InOut[...]`.
static bool saysWritten(const ast::Param &param) {
  const auto *subscript =
      param.annotation ? std::get_if<ast::Subscript>(&param.annotation->node)
                       : nullptr;
  std::string name = subscript ? ast::dottedName(*subscript->value) : "";
  return StringRef(name).ends_with("Out");
}

void Search::visit(const ast::Call &call) {
  std::string path = ast::dottedName(*call.callee);
  if (std::optional<StringRef> name = languageName(path)) {
    size_t first = *name == "store" ? 2 : 0;
    bool isOne = *name == "write" || *name == "assemble";
    bool isAny = name->contains("scatter") || name->ends_with("submit");
    if (*name != "store" && !isOne && !isAny)
      return;
    size_t last =
        isOne ? std::min<size_t>(1, call.args.size()) : call.args.size();
    for (size_t i = first; i < last; ++i)
      write(*call.args[i]);
    for (const ast::Keyword &keyword : call.keywords)
      write(*keyword.value);
    return;
  }
  std::optional<Object> callee = function.getEnvironment().lookup(path);
  const auto *helper = callee ? callee->as<FunctionObject>() : nullptr;
  llvm::ArrayRef<ast::Param> params;
  NameSet theirs;
  if (helper) {
    params = helper->function->getParams();
    theirs = search(*helper->function, known);
  }
  auto isWritten = [&](const ast::Param *param) {
    return !param || saysWritten(*param) || theirs.contains(param->name);
  };
  for (auto [position, argument] : llvm::enumerate(call.args))
    if (isWritten(position < params.size() ? &params[position] : nullptr))
      write(*argument);
  for (const ast::Keyword &keyword : call.keywords) {
    const auto *param = llvm::find_if(params, [&](const ast::Param &one) {
      return one.name == keyword.name;
    });
    if (isWritten(param == params.end() ? nullptr : param))
      write(*keyword.value);
  }
}

NameSet tegula::writtenParameters(const KernelFunction &function) {
  Written known;
  return search(function, known);
}
