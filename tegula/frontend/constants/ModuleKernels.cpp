// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of a file: those that stand in it, and those that functions make.
#include "tegula/frontend/constants/Decorators.h"
#include "tegula/frontend/constants/KernelFiles.h"
#include "tegula/frontend/syntax/BoundNames.h"

using namespace tegula;
using llvm::StringRef;

namespace {

/// What a kernel in a function sees: the names of the function, too.
class ClosureNames : public Environment {
public:
  ClosureNames(Scope &scope, Evaluator &evaluator)
      : scope(scope), evaluator(evaluator) {}

  std::optional<Object> lookup(StringRef name) override {
    return lookupForKernel(scope, evaluator, name);
  }

private:
  Scope &scope;
  Evaluator &evaluator;
};

} // namespace

bool ModuleConstants::defineKernel(const ast::FunctionDef &node, Frame &frame) {
  if (node.decorators.empty())
    return false;
  Decoration decoration = readDecorators(node, source, [&](StringRef name) {
    return lookupForKernel(frame.scope, files.getEvaluator(), name);
  });
  // What is not the file that was asked for is nobody's business until it is
  // used.
  if (files.isEntry(source) && !decoration.isForeign) {
    for (const Note &mistake : decoration.mistakes)
      files.getReporter().error(mistake.first, mistake.second);
  } else if (!decoration.mistakes.empty()) {
    frame.scope.bind(node.name,
                     Object(UnusableObject{"'" + node.name.str() + "' " +
                                               (decoration.isForeign
                                                    ? "is code for one machine"
                                                    : "has a wrong decorator"),
                                           decoration.mistakes}));
    return true;
  }
  if (!decoration.kind && decoration.mistakes.empty())
    return false;
  if (!decoration.kind) {
    frame.scope.bind(node.name, Object::poison());
    return true;
  }
  if (&frame.scope == this) {
    functions.push_back(std::make_unique<KernelFunction>(
        node, *decoration.kind, source, *this, decoration.traits));
    define(node.name, Object(FunctionObject{functions.back().get()}));
    return true;
  }
  for (Scope *kept = &frame.scope; kept; kept = kept->getAround())
    kept->isKept = true;
  innerNames.push_back(
      std::make_unique<ClosureNames>(frame.scope, files.getEvaluator()));
  made.push_back({frame.function + "." + node.name.str(),
                  std::make_unique<KernelFunction>(node, *decoration.kind,
                                                   source, *innerNames.back(),
                                                   decoration.traits)});
  frame.scope.bind(node.name, Object(FunctionObject{made.back().second.get()}));
  return true;
}

/// Calls the functions with kernels in them that nobody has called, with the
/// defaults of their parameters.
void ModuleConstants::callFactories() {
  std::vector<StringRef> factories;
  walkFunctions(*body, [&](const ast::FunctionDef &node, Enclosing around) {
    const auto *factory =
        around.empty() ? nullptr
                       : std::get_if<ast::FunctionDef>(&around.front()->node);
    bool isKernel =
        factory && readDecorators(node, source, [&](StringRef name) {
                     return lookup(name);
                   }).kind;
    bool isMade = llvm::any_of(made, [&](const auto &entry) {
      return &entry.second->getDefinition() == &node;
    });
    if (isKernel && !isMade && !llvm::is_contained(factories, factory->name))
      factories.push_back(factory->name);
  });
  Evaluator &evaluator = files.getEvaluator();
  for (StringRef name : factories) {
    std::optional<Object> factory = find(name);
    evaluator.startStatement();
    if (!factory || !asOrdinary<FunctionThing>(*factory))
      continue;
    Object result = evaluator.call(*factory, {});
    if (const auto *why = result.as<UnusableObject>())
      failedFactories[name] = why->message;
  }
}

std::string ModuleConstants::whyUnreached(Enclosing around) {
  const auto *factory =
      around.empty() ? nullptr
                     : std::get_if<ast::FunctionDef>(&around.front()->node);
  if (around.empty())
    return "the code around it does not run";
  if (!factory)
    return "it stands in a class";
  auto failed = failedFactories.find(factory->name);
  if (failed != failedFactories.end())
    return failed->second;
  return "'" + factory->name.str() + "' does not make it";
}

std::vector<std::pair<std::string, const KernelFunction *>>
ModuleConstants::makeKernels(std::vector<UnreachedKernel> &unreached) {
  callFactories();
  std::vector<std::pair<std::string, const KernelFunction *>> kernels;
  for (const auto &[qualified, kernel] : made) {
    if (kernel->getKind() != pl::FunctionKind::Entry)
      continue;
    // By the names it goes by, else by where it stands.
    bool isNamed = false;
    for (StringRef name : getNames()) {
      const Object &object = definitions[name].back().object;
      const auto *function = object.as<FunctionObject>();
      if (!function || function->function != kernel.get())
        continue;
      kernels.push_back({name.str(), kernel.get()});
      isNamed = true;
    }
    if (!isNamed)
      kernels.push_back({qualified, kernel.get()});
  }
  walkFunctions(*body, [&](const ast::FunctionDef &node, Enclosing around) {
    auto isIt = [&](const KernelFunction &kernel) {
      return &kernel.getDefinition() == &node;
    };
    bool isReached =
        llvm::any_of(made,
                     [&](const auto &entry) { return isIt(*entry.second); }) ||
        llvm::any_of(functions,
                     [&](const auto &entry) { return isIt(*entry); });
    bool isMethod = llvm::any_of(programs, [&](const KernelProgram &program) {
      return llvm::any_of(program.names->getFunctions(),
                          [&](const auto &entry) { return isIt(*entry); });
    });
    if (isReached || isMethod)
      return;
    Decoration decoration = readDecorators(
        node, source, [&](StringRef name) { return lookup(name); });
    if (decoration.kind != pl::FunctionKind::Entry)
      return;
    std::string name;
    for (const ast::Stmt *stmt : around) {
      const auto *function = std::get_if<ast::FunctionDef>(&stmt->node);
      const auto *type = std::get_if<ast::ClassDef>(&stmt->node);
      name += (function ? function->name : type->name).str() + ".";
    }
    unreached.push_back({name + node.name.str(), source.locate(node.nameLoc),
                         whyUnreached(around)});
  });
  return kernels;
}
