// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/constants/module/CapturedProgram.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/frontend/constants/ExtentExpression.h"
#include "tegula/frontend/constants/module/CapturedNames.h"
#include "tegula/frontend/constants/module/Decorators.h"
#include "tegula/frontend/diagnostics/ParserDiagnostics.h"
#include "tegula/frontend/syntax/Parser.h"
#include "tegula/ir/Register.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;
using Kind = CapturedValue::Kind;

struct CapturedProgram::Parsed {
  Parsed(CapturedProgram &program, mlir::MLIRContext &context,
         const ProgramBlock &block)
      : source(&context, block.text, block.path, block.firstLine),
        names(program, block) {}

  SourceText source;
  CapturedNames names;
  std::unique_ptr<ast::Module> module;
  /// The function; null if there is none or it has mistakes.
  std::unique_ptr<KernelFunction> function;
  /// The names around the class and those in it; null if it is a function.
  std::unique_ptr<ModuleConstants> around, members;
};

static Object unusable(const llvm::Twine &message) {
  return Object(UnusableObject{message.str(), {}});
}

CapturedProgram::CapturedProgram(mlir::MLIRContext &context,
                                 const Program &program, Reporter &reporter)
    : context(context), program(program), reporter(reporter),
      files(context, nullptr, reporter), blocks(program.blocks.size()) {
  loadDialects(context);
  for (const ProgramSymbol &symbol : program.symbols)
    // Only the line is known.
    symbols.push_back(std::make_shared<Symbol>(
        Symbol{symbol.name, mlir::FileLineColLoc::get(&context, symbol.path,
                                                      symbol.line, 0)}));
}

CapturedProgram::~CapturedProgram() = default;

CapturedProgram::Parsed &CapturedProgram::parse(size_t index) {
  if (blocks[index])
    return *blocks[index];
  const ProgramBlock &block = program.blocks[index];
  blocks[index] = std::make_unique<Parsed>(*this, context, block);
  Parsed &parsed = *blocks[index];
  ParserDiagnostics diagnostics(parsed.source, reporter);
  parsed.module = parseDefinition(parsed.source.getText(), diagnostics);
  if (!parsed.module || parsed.module->body.empty())
    return parsed;
  const ast::Stmt::Node &node = parsed.module->body.front()->node;
  if (const auto *definition = std::get_if<ast::FunctionDef>(&node))
    readFunction(parsed, block, *definition);
  else if (const auto *definition = std::get_if<ast::ClassDef>(&node))
    readClass(parsed, *definition);
  else
    reporter.error(parsed.source.locate(parsed.module->body.front()->loc),
                   "a kernel is a function or a class");
  return parsed;
}

void CapturedProgram::readFunction(Parsed &parsed, const ProgramBlock &block,
                                   const ast::FunctionDef &definition) {
  Decoration decoration =
      readDecorators(definition, parsed.source,
                     [&](StringRef name) { return parsed.names.lookup(name); });
  for (const Note &mistake : decoration.mistakes)
    reporter.error(mistake.first, mistake.second);
  std::optional<pl::FunctionKind> kind = decoration.kind;
  if (!kind)
    kind = kindOfDecorator(block.decorator);
  // Whatever the entry is for others, here it is where the program starts.
  if (&block == &program.blocks.front() && kind != pl::FunctionKind::Host)
    kind = pl::FunctionKind::Entry;
  if (!kind)
    return reporter.error(parsed.source.locate(definition.nameLoc),
                          "'" + definition.name +
                              "' is a function without a kernel decorator");
  parsed.function = std::make_unique<KernelFunction>(
      definition, *kind, parsed.source, parsed.names, decoration.traits);
}

void CapturedProgram::readClass(Parsed &parsed,
                                const ast::ClassDef &definition) {
  parsed.around =
      std::make_unique<ModuleConstants>(parsed.source, files, parsed.names);
  parsed.members = std::make_unique<ModuleConstants>(
      definition, parsed.source, files, parsed.around.get());
}

const KernelFunction *CapturedProgram::findMethod(Parsed &parsed) {
  const KernelFunction *found =
      program.method.empty()
          ? parsed.members->getKernels().getEntry()
          : parsed.members->getKernels().makeEntry(program.method);
  if (found)
    return found;
  std::string list;
  for (const auto &function : parsed.members->getKernels().getFunctions())
    list += (list.empty() ? "" : ", ") + function->getName().str();
  StringRef name = program.blocks.front().name;
  reporter.error(parsed.source.locate(parsed.module->body.front()->loc),
                 program.method.empty()
                     ? "it is not clear where the program '" + name +
                           "' starts; choose one of: " + list
                     : "the program '" + name + "' has no function '" +
                           program.method + "'; there is: " + list);
  return nullptr;
}

const KernelFunction *CapturedProgram::findEntry() {
  Parsed &entry = parse(0);
  if (entry.function)
    return entry.function.get();
  return entry.members ? findMethod(entry) : nullptr;
}

/// What extents can be combined with.
static std::optional<ExtentExpression::Op> operationOf(StringRef text) {
  using Op = ExtentExpression::Op;
  return llvm::StringSwitch<std::optional<Op>>(text)
      .Case("+", Op::Add)
      .Case("-", Op::Sub)
      .Case("*", Op::Mul)
      .Case("//", Op::FloorDiv)
      .Case("%", Op::Mod)
      .Case("min", Op::Min)
      .Case("max", Op::Max)
      .Default(std::nullopt);
}

/// A symbol, or what is computed from symbols.
Object CapturedProgram::toSymbol(const CapturedValue &value) {
  if (value.kind == Kind::Symbol)
    return Object(SymbolObject{symbols[value.integer]});
  std::optional<ExtentExpression::Op> op = operationOf(value.text);
  if (!op || value.elements.size() != 2)
    return unusable("extents have no operation '" + value.text + "'");
  return combineExtents(*op, toObject(value.elements[0]),
                        toObject(value.elements[1]));
}

Object CapturedProgram::toFunction(const CapturedValue &value) {
  Parsed &parsed = parse(value.integer);
  if (parsed.function)
    return Object(FunctionObject{parsed.function.get()});
  if (parsed.members)
    return unusable("'" + program.blocks[value.integer].name +
                    "' is a program of its own, a kernel cannot call it");
  return Object::poison();
}

Object CapturedProgram::toObject(const CapturedValue &value) {
  std::vector<Object> elements;
  if (value.kind == Kind::Tuple || value.kind == Kind::Dict)
    for (const CapturedValue &element : value.elements)
      elements.push_back(toObject(element));
  switch (value.kind) {
  case Kind::None:
    return Object::none();
  case Kind::Ellipsis:
    return Object(EllipsisObject{});
  case Kind::Bool:
    return Object::boolean(value.integer != 0);
  case Kind::Int:
    return Object::integer(value.integer);
  case Kind::Float:
    return Object::real(value.real);
  case Kind::String:
    return Object(StringObject{value.text});
  case Kind::Tuple:
    return Object::tuple(std::move(elements));
  case Kind::Dict: {
    std::vector<std::pair<Object, Object>> entries;
    for (size_t i = 0; i + 1 < elements.size(); i += 2)
      entries.push_back({elements[i], elements[i + 1]});
    return Object::dict(std::move(entries));
  }
  case Kind::DType:
    if (std::optional<DType> dtype = parseDType(value.text))
      return Object(DtypeObject{toType(&context, *dtype)});
    return unusable("'" + value.text + "' is not an element type");
  case Kind::Symbol:
  case Kind::Extent:
    return toSymbol(value);
  case Kind::Function:
    return toFunction(value);
  case Kind::Language:
    return Object(LanguageObject{value.text});
  case Kind::Builtin:
    return Object(PythonObject{value.text});
  case Kind::Unusable:
    return unusable(value.text);
  }
  llvm_unreachable("every kind is handled");
}
