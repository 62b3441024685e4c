// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `@pl.program`: a class whose methods are kernel functions.
#include "tegula/frontend/constants/module/Decorators.h"
#include "tegula/frontend/constants/module/KernelFiles.h"
#include "tegula/frontend/constants/module/ModuleKernels.h"
#include "tegula/frontend/syntax/AstWalk.h"
#include "llvm/ADT/StringSet.h"

using namespace tegula;
using llvm::StringRef;

namespace {

/// What a method sees: `self`, and the names around the class; its annotations
/// also those in it.
class MethodNames : public Environment {
public:
  MethodNames(StringRef self, StringRef program, ModuleConstants &members,
              Environment &around)
      : self(self), around(around), members(members),
        program(NamespaceObject{
            std::shared_ptr<Environment>(std::shared_ptr<void>(), &members),
            "the program '" + program.str() + "'"}) {}

  std::optional<Object> lookup(StringRef name) override {
    if (name == self)
      return program;
    if (std::optional<Object> found = around.lookup(name))
      return found;
    // What annotations of methods see, as in Python.
    std::optional<Object> member = members.lookup(name);
    return member && member->is<FunctionObject>() ? std::nullopt : member;
  }

private:
  StringRef self;
  Environment &around;
  ModuleConstants &members;
  Object program;
};

} // namespace

/// The methods that a method calls: `self.other(...)`.
static void addCalled(const ast::FunctionDef &method,
                      llvm::StringSet<> &called) {
  walkExprs(method.body, [&](const ast::Expr &expr) {
    const auto *call = std::get_if<ast::Call>(&expr.node);
    const auto *member =
        call ? std::get_if<ast::Attribute>(&call->callee->node) : nullptr;
    if (member && std::holds_alternative<ast::Name>(member->value->node) &&
        member->name != method.name)
      called.insert(member->name);
  });
}

/// True if the first parameter is the program: it is called `self`, or is the
/// only one that says nothing of what it is.
static bool startsWithSelf(const ast::FunctionDef &method) {
  llvm::ArrayRef<ast::Param> params = method.params;
  return !params.empty() &&
         (params.front().name == "self" ||
          (!params.front().annotation &&
           llvm::all_of(params.drop_front(), [](const ast::Param &param) {
             return param.annotation != nullptr;
           })));
}

void ModuleKernels::runProgram(const ast::ClassDef &program,
                               ModuleConstants &outer, Environment &around) {
  llvm::StringSet<> called;
  for (const ast::StmtPtr &stmt : program.body)
    if (const auto *method = std::get_if<ast::FunctionDef>(&stmt->node))
      addCalled(*method, called);
  for (const ast::StmtPtr &stmt : program.body) {
    const auto *method = std::get_if<ast::FunctionDef>(&stmt->node);
    if (!method) {
      owner.runStatement(*stmt);
      continue;
    }
    definitions.startStatement();
    Decoration decoration =
        readDecorators(*method, source, [&](StringRef name) {
          return lookupForKernel(owner, files.getEvaluator(), name);
        });
    for (const Note &mistake : decoration.mistakes)
      files.getReporter().error(mistake.first, mistake.second);
    if (!decoration.kind) {
      owner.defineUnusable(method->name,
                           "a function without a kernel decorator",
                           method->nameLoc);
      continue;
    }
    decoration.traits.takesSelf = startsWithSelf(*method);
    innerNames.push_back(std::make_unique<MethodNames>(
        decoration.traits.takesSelf ? method->params.front().name : StringRef(),
        program.name, owner, around));
    // What another function of the program calls is no entry of its own.
    pl::FunctionKind kind = *decoration.kind;
    bool isEntry =
        kind == pl::FunctionKind::Entry || kind == pl::FunctionKind::Host;
    if (isEntry && called.contains(method->name))
      kind = pl::FunctionKind::Opaque;
    functions.push_back(std::make_unique<KernelFunction>(
        *method, kind, source, *innerNames.back(), decoration.traits));
    owner.bind(method->name, Object(FunctionObject{functions.back().get()}));
  }
  takeAttributes(program, outer);
  chooseEntry(called);
}

/// True if `self` has more than the statements of the class give it.
static bool hasAttributes(const ast::ClassDef &program) {
  return !program.bases.empty() ||
         llvm::any_of(program.body, [](const ast::StmtPtr &stmt) {
           const auto *method = std::get_if<ast::FunctionDef>(&stmt->node);
           return method && method->name == "__init__";
         });
}

void ModuleKernels::takeAttributes(const ast::ClassDef &program,
                                   ModuleConstants &outer) {
  if (!hasAttributes(program))
    return;
  Frame frame{outer, source, &outer};
  for (auto &[name, object] :
       files.getEvaluator().readAttributes(program, frame)) {
    bool isKernel =
        llvm::any_of(functions, [&, &name = name](const auto &each) {
          return each->getName() == name;
        });
    if (!isKernel)
      owner.bind(name, object);
  }
}

/// The function that orchestrates the others, hosts before chips, else the one
/// nobody calls.
void ModuleKernels::chooseEntry(const llvm::StringSet<> &called) {
  std::vector<std::unique_ptr<KernelFunction> *> orchestrating, uncalled;
  bool hasHost = llvm::any_of(functions, [](const auto &function) {
    return function->getKind() == pl::FunctionKind::Host;
  });
  for (std::unique_ptr<KernelFunction> &function : functions) {
    if (function->getKind() ==
        (hasHost ? pl::FunctionKind::Host : pl::FunctionKind::Entry))
      orchestrating.push_back(&function);
    else if (!called.contains(function->getName()) &&
             function->getKind() != pl::FunctionKind::Inline)
      uncalled.push_back(&function);
  }
  if (orchestrating.size() == 1) {
    entry = orchestrating.front()->get();
    return;
  }
  if (!orchestrating.empty() || uncalled.size() != 1)
    return;
  const KernelFunction &only = **uncalled.front();
  entries.push_back(std::make_unique<KernelFunction>(
      only.getDefinition(), pl::FunctionKind::Entry, source,
      only.getEnvironment(), only.getTraits()));
  entry = entries.back().get();
}

const KernelFunction *ModuleKernels::makeEntry(StringRef method) {
  for (const std::unique_ptr<KernelFunction> &function : functions)
    if (function->getName() == method) {
      pl::FunctionKind kind = function->getKind();
      if (kind != pl::FunctionKind::Host)
        kind = pl::FunctionKind::Entry;
      entries.push_back(std::make_unique<KernelFunction>(
          function->getDefinition(), kind, source, function->getEnvironment(),
          function->getTraits()));
      return entries.back().get();
    }
  return nullptr;
}

bool ModuleKernels::define(const ast::ClassDef &node, Frame &frame) {
  bool isProgram = false;
  for (const ast::ExprPtr &decorator : node.decorators) {
    const ast::Expr *expr = decorator.get();
    if (const auto *call = std::get_if<ast::Call>(&expr->node))
      expr = call->callee.get();
    Object object = files.getEvaluator().evaluate(*expr, frame);
    const std::string *path = object.asLanguage();
    isProgram |= path && *path == "program";
    if (path && *path != "program" && files.isEntry(source))
      files.getReporter().error(source.locate(expr->loc),
                                "a class takes @pl.program, got 'pl." + *path +
                                    "'");
  }
  bool isMade = frame.scope.getKind() == Scope::Kind::Function;
  if (!isProgram || (&frame.scope != &owner && !isMade))
    return false;
  auto names = std::make_shared<ModuleConstants>(
      node, source, files, &owner, isMade ? &closureOf(frame) : nullptr);
  std::string name = (isMade ? frame.function + "." : "") + node.name.str();
  programs.push_back({std::move(name), source.locate(node.nameLoc), names.get(),
                      names->getKernels().getEntry(), isMade});
  frame.scope.bind(node.name, Object(NamespaceObject{
                                  std::move(names),
                                  "the program '" + node.name.str() + "'"}));
  return true;
}
