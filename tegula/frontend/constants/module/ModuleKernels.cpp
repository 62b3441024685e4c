// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/module/ModuleKernels.h"
#include "tegula/frontend/constants/module/Decorators.h"
#include "tegula/frontend/constants/module/KernelFiles.h"
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

/// What kernels see that a function of the frame makes.
Environment &ModuleKernels::closureOf(Frame &frame) {
  for (Scope *kept = &frame.scope; kept; kept = kept->getAround())
    kept->isCaptured = true;
  innerNames.push_back(
      std::make_unique<ClosureNames>(frame.scope, files.getEvaluator()));
  return *innerNames.back();
}

/// Defaults are what they are where the definition is run, so they are kept
/// under names of their own.
static void keepDefaults(const ast::FunctionDef &node, const SourceText &source,
                         Scope &scope, Evaluator &evaluator) {
  for (const ast::Param &param : node.params) {
    if (!param.defaultValue)
      continue;
    Object value =
        evaluateConstant(*param.defaultValue, source, [&](StringRef name) {
          return lookupForKernel(scope, evaluator, name);
        });
    if (!value.isPoison() && !value.is<UnusableObject>())
      scope.bind(nameOfDefault(node.name, param.name), value);
  }
}

bool ModuleKernels::define(const ast::FunctionDef &node, Frame &frame) {
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
  keepDefaults(node, source, frame.scope, files.getEvaluator());
  if (&frame.scope == &owner) {
    functions.push_back(std::make_unique<KernelFunction>(
        node, *decoration.kind, source, owner, decoration.traits));
    owner.bind(node.name, Object(FunctionObject{functions.back().get()}));
    return true;
  }
  made.push_back(
      {frame.function + "." + node.name.str(),
       std::make_unique<KernelFunction>(node, *decoration.kind, source,
                                        closureOf(frame), decoration.traits)});
  frame.scope.bind(node.name, Object(FunctionObject{made.back().second.get()}));
  return true;
}

/// True if the function is a kernel, or a method of a program, of this file.
bool ModuleKernels::isReached(const ast::FunctionDef &node) const {
  auto isIt = [&](const KernelFunction &kernel) {
    return &kernel.getDefinition() == &node;
  };
  return llvm::any_of(made,
                      [&](const auto &entry) { return isIt(*entry.second); }) ||
         llvm::any_of(functions,
                      [&](const auto &entry) { return isIt(*entry); }) ||
         llvm::any_of(programs, [&](const KernelProgram &program) {
           return llvm::any_of(program.names->getKernels().getFunctions(),
                               [&](const auto &entry) { return isIt(*entry); });
         });
}

/// Calls the functions with kernels in them that nobody has called, with the
/// defaults of their parameters.
void ModuleKernels::callFactories(const ast::Block &body) {
  std::vector<StringRef> factories;
  walkFunctions(body, [&](const ast::FunctionDef &node, Enclosing around) {
    const auto *factory =
        around.empty() ? nullptr
                       : std::get_if<ast::FunctionDef>(&around.front()->node);
    bool isKernel =
        factory && readDecorators(node, source, [&](StringRef name) {
                     return owner.lookup(name);
                   }).kind;
    if (isKernel && !isReached(node) &&
        !llvm::is_contained(factories, factory->name))
      factories.push_back(factory->name);
  });
  Evaluator &evaluator = files.getEvaluator();
  for (StringRef name : factories) {
    std::optional<Object> factory = owner.find(name);
    evaluator.budget.startStatement();
    if (!factory || !asOrdinary<FunctionThing>(*factory))
      continue;
    Object result = evaluator.call(*factory, {});
    if (const auto *why = result.as<UnusableObject>())
      failedFactories[name] = why->message;
  }
}

std::string ModuleKernels::whyUnreached(Enclosing around) {
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

/// The names of the file that stand for something.
std::vector<std::string>
ModuleKernels::namesOf(llvm::function_ref<bool(const Object &)> isIt) {
  std::vector<std::string> found;
  for (StringRef name : definitions.listNames())
    if (const Object *object = definitions.findLast(name);
        object && isIt(*object))
      found.push_back(name.str());
  return found;
}

/// The name of what stands in `around`: `factory.Program.`.
static std::string pathOf(Enclosing around) {
  std::string path;
  for (const ast::Stmt *stmt : around) {
    const auto *function = std::get_if<ast::FunctionDef>(&stmt->node);
    const auto *type = std::get_if<ast::ClassDef>(&stmt->node);
    path += (function ? function->name : type->name).str() + ".";
  }
  return path;
}

std::vector<std::pair<std::string, const KernelFunction *>>
ModuleKernels::makeAll(const ast::Block &body,
                       std::vector<UnreachedKernel> &unreached) {
  callFactories(body);
  std::vector<std::pair<std::string, const KernelFunction *>> kernels;
  // By the names it goes by, else by where it stands.
  auto add = [&](std::vector<std::string> names, const std::string &qualified,
                 const KernelFunction *kernel) {
    if (names.empty())
      names.push_back(qualified);
    for (const std::string &name : names)
      kernels.push_back({name, kernel});
  };
  for (const auto &[qualified, kernel] : made)
    if (kernel->isEntry())
      add(namesOf([&, &function = kernel](const Object &object) {
            const auto *known = object.as<FunctionObject>();
            return known && known->function == function.get();
          }),
          qualified, kernel.get());
  for (KernelProgram &program : programs) {
    if (!program.isMade)
      continue;
    std::vector<std::string> names = namesOf([&](const Object &object) {
      const auto *known = object.as<NamespaceObject>();
      return known && known->names.get() == program.names;
    });
    if (!names.empty())
      program.name = names.front();
    if (program.entry)
      add(std::move(names), program.name, program.entry);
  }
  walkFunctions(body, [&](const ast::FunctionDef &node, Enclosing around) {
    if (isReached(node))
      return;
    Decoration decoration = readDecorators(
        node, source, [&](StringRef name) { return owner.lookup(name); });
    if (!decoration.kind)
      return;
    // A program is missed once, not each of its methods.
    const auto *type = around.empty()
                           ? nullptr
                           : std::get_if<ast::ClassDef>(&around.back()->node);
    bool isMethod = type && around.size() > 1 && !type->decorators.empty();
    std::string name = isMethod ? StringRef(pathOf(around)).drop_back().str()
                                : pathOf(around) + node.name.str();
    if ((!isMethod && decoration.kind != pl::FunctionKind::Entry &&
         decoration.kind != pl::FunctionKind::Host) ||
        llvm::any_of(unreached, [&](const UnreachedKernel &known) {
          return known.name == name;
        }))
      return;
    unreached.push_back({name,
                         source.locate(isMethod ? type->nameLoc : node.nameLoc),
                         whyUnreached(around)});
  });
  return kernels;
}
