// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/module/ModuleConstants.h"
#include "tegula/frontend/constants/module/KernelFiles.h"
#include "tegula/frontend/syntax/BoundNames.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tegula;
using llvm::StringRef;

static Object unusable(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

ModuleConstants::ModuleConstants(const ast::ClassDef &program,
                                 const SourceText &source, KernelFiles &files,
                                 ModuleConstants *outer, Environment *closure)
    : Scope(Kind::Module, outer), source(source), files(files), outer(outer),
      captured(closure), outerOrder(outer->definitions.getOrder()) {
  kernels.runProgram(program, *outer, closure ? *closure : *outer);
}

void ModuleConstants::runFile(const ast::Block &statements) {
  body = &statements;
  bind("__name__",
       Object::string(llvm::sys::path::stem(source.getPath()).str()));
  for (const ast::StmtPtr &stmt : statements)
    runStatement(*stmt);
}

void ModuleConstants::runStatement(const ast::Stmt &stmt) {
  definitions.startStatement();
  Evaluator &evaluator = files.getEvaluator();
  evaluator.budget.startStatement();
  Frame frame{*this, source, this};
  if (evaluator.run(stmt, frame) == StatementEnd::Failed)
    withhold(stmt, evaluator.getFailure());
}

/// Adds the names of all objects that a statement may have changed.
void ModuleConstants::addAliases(const ast::Stmt &stmt, NameSet &names) const {
  std::vector<Object> changed;
  for (StringRef name : changedNames(stmt)) {
    const Object *object = definitions.findLast(name);
    if (object && (object->is<TupleObject>() || object->is<DictObject>() ||
                   object->is<OrdinaryObject>()))
      changed.push_back(*object);
  }
  for (StringRef name : definitions.keys()) {
    const Object *object = definitions.findLast(name);
    if (!object)
      continue;
    bool isAlias = llvm::any_of(changed, [&](const Object &other) {
      return isSame(*object, other) && object->is<OrdinaryObject>();
    });
    for (const Object &other : changed) {
      const auto *tuple = object->as<TupleObject>();
      const auto *same = other.as<TupleObject>();
      isAlias |=
          tuple && same && tuple->isList && tuple->elements == same->elements;
      const auto *dict = object->as<DictObject>();
      isAlias |= dict && other.is<DictObject>() && isSame(*object, other);
    }
    if (isAlias)
      names.insert(name);
  }
}

/// What a statement that failed would have bound, or was about to change, has
/// no value.
void ModuleConstants::withhold(const ast::Stmt &stmt, const Object &failure) {
  // It is asked for once more when it is said.
  Object why = failure;
  if (const auto *skipped = std::get_if<ast::Skipped>(&stmt.node)) {
    for (StringRef name : skipped->names)
      defineUnusable(name, skipped->what, stmt.loc);
    return;
  }
  NameSet names = boundNames(stmt);
  addAliases(stmt, names);
  for (StringRef name : names)
    bind(name, withoutValue(name, why, stmt.loc));
  for (auto [owner, member] : assignedMembers(stmt)) {
    std::optional<Object> object = find(owner);
    if (const auto *module = object ? object->as<NamespaceObject>() : nullptr)
      module->names->assign(member, withoutValue(member, why, stmt.loc));
  }
}

void ModuleConstants::bind(StringRef name, Object object) {
  definitions.define(name, std::move(object));
}

bool ModuleConstants::assign(StringRef name, const Object &value) {
  if (!body)
    return false;
  // Who has imported the name before keeps what it was.
  files.settleImports();
  bind(name, value);
  return true;
}

bool ModuleConstants::unbind(StringRef name) { return definitions.erase(name); }

std::string ModuleConstants::describeLocation(llvm::SMLoc loc) const {
  std::string line = "line " + std::to_string(source.lineOf(loc));
  if (files.isEntry(source))
    return line;
  return line + " of " + llvm::sys::path::filename(source.getPath()).str();
}

void ModuleConstants::defineUnusable(StringRef name, const llvm::Twine &why,
                                     llvm::SMLoc loc) {
  bind(name, unusable("'" + name + "' is not something a kernel can use (" +
                      why + " at " + describeLocation(loc) + ")"));
}

/// The constant that is to blame is named; those made from it are shown.
Object ModuleConstants::withoutValue(StringRef name, const Object &failure,
                                     llvm::SMLoc loc) const {
  constexpr llvm::StringLiteral noValue("has no value a kernel can use");
  constexpr size_t maxNotes = 8;
  const auto *why = failure.as<UnusableObject>();
  if (!why)
    return failure;
  UnusableObject result = *why;
  if (!StringRef(why->message).contains(noValue)) {
    result.message = ("'" + name + "' " + noValue + ": " + why->message + " (" +
                      describeLocation(loc) + ")")
                         .str();
  } else if (result.notes.size() < maxNotes) {
    result.notes.push_back(
        {source.locate(loc), ("'" + name + "' is computed from it").str()});
  }
  return Object(std::move(result));
}

std::optional<Object> ModuleConstants::lookupBefore(StringRef name,
                                                    unsigned before) {
  ModuleDefinitions::Definition *last = definitions.findBefore(name, before);
  std::optional<unsigned> after;
  if (last)
    after = last->order;
  if (std::optional<Object> object = imports.findInStars(name, after, before))
    return object;
  if (last)
    return definitions.valueOf(name, *last);
  if (captured)
    return captured->lookup(name);
  return outer ? outer->lookupBefore(name, outerOrder) : std::nullopt;
}

std::optional<Object> ModuleConstants::find(StringRef name) {
  return lookupBefore(name, ~0u);
}

std::optional<Object>
tegula::lookupForKernel(Scope &scope, Evaluator &evaluator, StringRef name) {
  if (std::optional<Object> object = scope.find(name))
    return forKernel(*object, name);
  auto [first, rest] = name.split('.');
  std::optional<Object> object =
      rest.empty() ? std::nullopt : scope.find(first);
  if (!object ||
      !(object->is<OrdinaryObject>() || object->is<NamespaceObject>()))
    return std::nullopt;
  evaluator.budget.startStatement();
  Object value = fromKernel(*object);
  while (!rest.empty()) {
    std::tie(first, rest) = rest.split('.');
    value = evaluator.attribute(value, first);
    // Whoever asks says where.
    if (value.isStuck())
      return std::nullopt;
  }
  return forKernel(value, name);
}

std::optional<Object> ModuleConstants::lookup(StringRef name) {
  bool isOwn = definitions.contains(name) || imports.hasStars();
  if (outer && !isOwn)
    return std::nullopt;
  return lookupForKernel(*this, files.getEvaluator(), name);
}
