// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/ModuleConstants.h"
#include "tegula/frontend/constants/KernelFiles.h"
#include "tegula/frontend/syntax/BoundNames.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tegula;
using llvm::StringRef;

static Object unusable(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

void ModuleConstants::runFile(const ast::Block &statements) {
  body = &statements;
  define("__name__",
         Object::string(llvm::sys::path::stem(source.getPath()).str()));
  for (const ast::StmtPtr &stmt : statements)
    runStatement(*stmt);
}

void ModuleConstants::runStatement(const ast::Stmt &stmt) {
  ++order;
  Evaluator &evaluator = files.getEvaluator();
  evaluator.budget.startStatement();
  Frame frame{*this, source, this};
  if (evaluator.run(stmt, frame) == StatementEnd::Failed)
    withhold(stmt, evaluator.getFailure());
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
  std::vector<Object> changed;
  for (StringRef name : changedNames(stmt)) {
    auto found = definitions.find(name);
    if (found == definitions.end() || found->second.back().compute)
      continue;
    const Object &object = found->second.back().object;
    if (object.is<TupleObject>() || object.is<DictObject>() ||
        object.is<OrdinaryObject>())
      changed.push_back(object);
  }
  for (const auto &entry : definitions) {
    const Object &object = entry.second.back().object;
    bool isAlias = llvm::any_of(changed, [&](const Object &other) {
      return isSame(object, other) && object.is<OrdinaryObject>();
    });
    for (const Object &other : changed) {
      const auto *tuple = object.as<TupleObject>();
      const auto *same = other.as<TupleObject>();
      isAlias |=
          tuple && same && tuple->isList && tuple->elements == same->elements;
      const auto *dict = object.as<DictObject>();
      isAlias |= dict && other.is<DictObject>() && isSame(object, other);
    }
    if (isAlias)
      names.insert(entry.getKey());
  }
  for (StringRef name : names)
    define(name, withoutValue(name, why, stmt.loc));
  for (auto [owner, member] : assignedMembers(stmt)) {
    std::optional<Object> object = find(owner);
    if (const auto *module = object ? object->as<NamespaceObject>() : nullptr)
      module->names->assign(member, withoutValue(member, why, stmt.loc));
  }
}

void ModuleConstants::define(StringRef name, Object object) {
  std::vector<Definition> &values = definitions[name];
  if (values.empty() || values.back().order != order)
    values.push_back({order});
  values.back() = {order, std::move(object)};
}

void ModuleConstants::define(StringRef name, std::function<Object()> compute) {
  std::vector<Definition> &values = definitions[name];
  if (values.empty() || values.back().order != order)
    values.push_back({order});
  values.back() = {order, Object(), std::move(compute)};
}

void ModuleConstants::bind(StringRef name, Object object) {
  define(name, std::move(object));
}

bool ModuleConstants::assign(StringRef name, const Object &value) {
  if (!body)
    return false;
  // Who has imported the name before keeps what it was.
  files.settleImports();
  bind(name, value);
  return true;
}

void ModuleConstants::settleImports() {
  for (StringRef name : getNames())
    for (size_t i = 0; i < definitions[name].size(); ++i)
      if (definitions[name][i].compute && !definitions[name][i].isBeingComputed)
        valueOf(name, definitions[name][i]);
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
  define(name, unusable("'" + name + "' is not something a kernel can use (" +
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

Object ModuleConstants::valueOf(StringRef name, Definition &definition) {
  if (definition.isBeingComputed)
    return unusable("the value of '" + name + "' depends on itself");
  if (!definition.compute)
    return definition.object;
  // Computing it may run other files, and define names here.
  unsigned wanted = definition.order;
  std::function<Object()> compute = definition.compute;
  definition.isBeingComputed = true;
  Object object = compute();
  for (Definition &known : definitions[name])
    if (known.order == wanted && known.isBeingComputed)
      known = {wanted, object};
  return object;
}

std::optional<Object> ModuleConstants::lookupBefore(StringRef name,
                                                    unsigned before) {
  Definition *last = nullptr;
  auto found = definitions.find(name);
  if (found != definitions.end())
    for (Definition &definition : found->second)
      if (definition.order < before)
        last = &definition;
  for (Star &star : llvm::reverse(stars))
    if (star.order < before && (!last || last->order < star.order))
      if (std::optional<Object> object = importStar(star, name))
        return object;
  if (last)
    return valueOf(name, *last);
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
  bool isOwn = definitions.count(name) != 0 || !stars.empty();
  if (outer && !isOwn)
    return std::nullopt;
  return lookupForKernel(*this, files.getEvaluator(), name);
}

std::vector<StringRef> ModuleConstants::getNames() const {
  std::vector<StringRef> names;
  for (const auto &entry : definitions)
    if (!entry.getKey().starts_with("__"))
      names.push_back(entry.getKey());
  llvm::sort(names);
  return names;
}
