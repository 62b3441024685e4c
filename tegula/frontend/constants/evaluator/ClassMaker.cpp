// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/evaluator/ClassMaker.h"
#include "tegula/frontend/constants/ConstantFolding.h"
#include "tegula/frontend/constants/evaluator/Evaluator.h"
#include "tegula/frontend/constants/evaluator/Instances.h"
#include "tegula/frontend/constants/module/ModuleConstants.h"
#include "tegula/frontend/syntax/BoundNames.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;
using ClassKind = ClassThing::ClassKind;

/// What Python asks of an object behind one's back.
static bool isHook(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"__new__", "__getattr__", "__getattribute__", "__setattr__"},
             true)
      .Cases({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}, true)
      .Cases({"__add__", "__sub__", "__mul__", "__truediv__", "__mod__"}, true)
      .Cases({"__floordiv__", "__radd__", "__rmul__", "__matmul__"}, true)
      .Cases({"__getitem__", "__iter__", "__contains__", "__index__"}, true)
      .Cases({"__int__", "__float__", "__init_subclass__"}, true)
      .Default(false);
}

namespace {

/// The body of a class; it remembers the order of its names.
class ClassScope : public Scope {
public:
  ClassScope(ClassThing &type, Scope *around)
      : Scope(Kind::Class, around), type(type) {}

  std::optional<Object> find(StringRef name) override {
    auto found = type.names.find(name);
    return found != type.names.end() ? found->second : Scope::find(name);
  }
  void bind(StringRef name, Object object) override {
    type.names[name] = std::move(object);
  }
  bool unbind(StringRef name) override {
    bool isBound = type.names.count(name) != 0;
    type.names.erase(name);
    return isBound;
  }

private:
  ClassThing &type;
};

} // namespace

bool ClassMaker::takeBases(const ast::ClassDef &node, ClassThing &type,
                           Frame &frame) {
  for (const ast::ExprPtr &expr : node.bases) {
    const ast::Expr *base = expr.get();
    if (const auto *subscript = std::get_if<ast::Subscript>(&base->node))
      base = subscript->value.get();
    Object object = evaluator.evaluate(*base, frame);
    if (asOrdinary<ClassThing>(object)) {
      std::shared_ptr<ClassThing> inherited(object.as<OrdinaryObject>()->thing,
                                            asOrdinary<ClassThing>(object));
      if (inherited->classKind != ClassKind::Plain)
        type.classKind = inherited->classKind;
      if (!inherited->problem.empty())
        type.problem = inherited->problem;
      type.bases.push_back(std::move(inherited));
      continue;
    }
    const auto *builtin = object.as<PythonObject>();
    StringRef name = builtin ? StringRef(builtin->name) : StringRef();
    if (name == "enum.Enum")
      type.classKind = ClassKind::Enum;
    else if (name == "enum.IntEnum")
      type.classKind = ClassKind::IntEnum;
    else if (name == "typing.NamedTuple")
      type.classKind = ClassKind::NamedTuple;
    else if (name != "object" && name != "typing.Generic" &&
             name != "typing.Protocol" && name != "abc.ABC")
      type.problem =
          "the class '" + type.name + "' has a base that is not known here";
  }
  return true;
}

bool ClassMaker::takeDecorators(const ast::ClassDef &node, ClassThing &type,
                                Frame &frame) {
  for (const ast::ExprPtr &decorator : node.decorators) {
    const auto *call = std::get_if<ast::Call>(&decorator->node);
    Object object =
        evaluator.evaluate(call ? *call->callee : *decorator, frame);
    const auto *builtin = object.as<PythonObject>();
    if (!builtin || builtin->name != "dataclasses.dataclass") {
      type.problem = "the class '" + type.name +
                     "' has a decorator that is not known here";
      continue;
    }
    type.classKind = ClassKind::Dataclass;
    if (!call)
      continue;
    for (const ast::Keyword &keyword : call->keywords)
      if (keyword.name == "frozen") {
        Object frozen = evaluator.evaluate(*keyword.value, frame);
        type.isFrozen = !frozen.isStuck() && tegula::isTrue(frozen);
      }
  }
  return true;
}

/// True for `ClassVar[int]`, which is no field.
static bool isClassVariable(const ast::Expr &annotation) {
  const ast::Expr *expr = &annotation;
  if (const auto *subscript = std::get_if<ast::Subscript>(&expr->node))
    expr = subscript->value.get();
  return StringRef(ast::dottedName(*expr)).ends_with("ClassVar");
}

/// The fields are the annotated names, those of bases first.
void ClassMaker::finishFields(const ast::ClassDef &node, ClassThing &type,
                              Frame &frame) {
  for (const std::shared_ptr<ClassThing> &base : type.bases)
    for (const auto &field : base->fields)
      type.fields.push_back(field);
  for (const ast::StmtPtr &stmt : node.body) {
    const auto *annotated = std::get_if<ast::AnnAssign>(&stmt->node);
    const auto *name =
        annotated ? std::get_if<ast::Name>(&annotated->target->node) : nullptr;
    if (!name || isClassVariable(*annotated->annotation))
      continue;
    auto given = type.names.find(name->id);
    std::optional<Object> value;
    if (given != type.names.end())
      value = given->second;
    if (value &&
        (value->is<DictObject>() ||
         (value->is<TupleObject>() && value->as<TupleObject>()->isList) ||
         asOrdinary<SetThing>(*value)))
      type.problem = "the default of '" + name->id.str() +
                     "' can change; write field(default_factory=...)";
    // A class has no name for a field without a value of its own.
    if (const auto *field = value ? asOrdinary<FieldThing>(*value) : nullptr) {
      if (field->value)
        given->second = *field->value;
      else
        type.names.erase(name->id);
    }
    auto known = llvm::find_if(type.fields, [&](const auto &field) {
      return field.first == name->id;
    });
    if (known != type.fields.end())
      known->second = value;
    else
      type.fields.push_back({name->id.str(), value});
  }
}

/// The members are the names of the body that stand for values.
void ClassMaker::finishEnum(std::shared_ptr<ClassThing> type) {
  int64_t last = 0;
  for (auto &[name, object] : type->names) {
    if (name.starts_with("_") || asOrdinary<FunctionThing>(object) ||
        asOrdinary<DescriptorThing>(object))
      continue;
    Object value = object;
    if (asOrdinary<FieldThing>(object))
      value = Object::integer(last + 1);
    last = value.asInteger().value_or(last);
    bool isInteger = type->classKind == ClassKind::IntEnum;
    if (isInteger && !value.asInteger())
      type->problem = "the members of an IntEnum are integers";
    // A second name for a value is the same member.
    Object member = instances.memberOf(*type, value);
    if (member.isStuck()) {
      member =
          makeOrdinary<MemberThing>(type->name, name.str(), value, isInteger);
      type->fields.push_back({name.str(), evaluator.lifetimes.retain(member)});
    }
    object = member;
  }
}

/// True for a method of a program: a kernel, which the program has already.
static bool isKernelMethod(const ast::Stmt &stmt) {
  const auto *method = std::get_if<ast::FunctionDef>(&stmt.node);
  return method &&
         llvm::any_of(method->decorators, [](const ast::ExprPtr &decorator) {
           return !std::holds_alternative<ast::Name>(decorator->node);
         });
}

/// Makes the class of the statements; of a program, what is no kernel.
std::shared_ptr<ClassThing>
ClassMaker::makeClass(const ast::ClassDef &node, Frame &frame, bool isProgram) {
  auto type = std::make_shared<ClassThing>(evaluator);
  type->name = node.name.str();
  takeBases(node, *type, frame);
  if (!isProgram)
    takeDecorators(node, *type, frame);
  auto scope = std::make_unique<ClassScope>(*type, &frame.scope);
  std::string around = frame.function.empty() ? "" : frame.function + ".";
  Frame inner{*scope, frame.source, frame.module, around + type->name};
  for (const ast::StmtPtr &stmt : node.body) {
    // One name that has no value does not take the others with it.
    if ((isProgram && isKernelMethod(*stmt)) ||
        evaluator.run(*stmt, inner) != StatementEnd::Failed)
      continue;
    Object why = evaluator.getFailure();
    for (StringRef name : boundNames(*stmt))
      type->names[name] =
          frame.module ? frame.module->withoutValue(name, why, stmt->loc) : why;
  }
  evaluator.lifetimes.retain(std::move(scope));
  for (const auto &[name, object] : type->names)
    if (isHook(name))
      type->problem =
          "the class '" + type->name + "' defines '" + name.str() + "'";
  if (type->classKind == ClassKind::Dataclass ||
      type->classKind == ClassKind::NamedTuple)
    finishFields(node, *type, frame);
  if (type->classKind == ClassKind::Enum ||
      type->classKind == ClassKind::IntEnum)
    finishEnum(type);
  return type;
}

StatementEnd ClassMaker::run(const ast::ClassDef &node, Frame &frame) {
  if (frame.module && frame.module->getKernels().define(node, frame))
    return StatementEnd::Next;
  Object made(OrdinaryObject{makeClass(node, frame, /*isProgram=*/false)});
  frame.scope.bind(node.name, evaluator.lifetimes.retain(made));
  return StatementEnd::Next;
}

std::vector<std::pair<StringRef, Object>>
ClassMaker::readAttributes(const ast::ClassDef &program, Frame &frame) {
  std::shared_ptr<ClassThing> type =
      makeClass(program, frame, /*isProgram=*/true);
  evaluator.lifetimes.retain(Object(OrdinaryObject{type}));
  std::vector<std::pair<StringRef, Object>> attributes;
  llvm::SmallVector<const ClassThing *> bases;
  for (const std::shared_ptr<ClassThing> &base : type->bases)
    bases.push_back(base.get());
  for (size_t next = 0; next < bases.size(); ++next) {
    for (const auto &[name, object] : bases[next]->names)
      if (!type->names.count(name))
        attributes.push_back({name, object});
    for (const std::shared_ptr<ClassThing> &base : bases[next]->bases)
      bases.push_back(base.get());
  }
  // The nearest base comes last, which replaces what others have.
  std::reverse(attributes.begin(), attributes.end());
  if (!type->find("__init__"))
    return attributes;
  const Object made =
      evaluator.lifetimes.retain(evaluator.instantiate(type, {}));
  if (const auto *instance = asOrdinary<InstanceThing>(made))
    for (const auto &[name, object] : instance->fields)
      attributes.push_back({name, object});
  return attributes;
}
