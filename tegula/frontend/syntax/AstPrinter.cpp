// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/frontend/syntax/AstPrinter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;
using namespace tegula::ast;
using llvm::StringRef;

namespace {

class ExprPrinter {
public:
  explicit ExprPrinter(llvm::raw_ostream &os) : os(os) {}

  void print(const Expr &expr) { std::visit(*this, expr.node); }
  void print(const ExprPtr &expr) {
    if (expr)
      print(*expr);
    else
      os << "_";
  }
  void printAll(const std::vector<ExprPtr> &exprs) {
    for (const ExprPtr &expr : exprs) {
      os << " ";
      print(expr);
    }
  }

  void operator()(const Name &node) { os << node.id; }
  void operator()(const Attribute &node) {
    os << "(. ";
    print(node.value);
    os << " " << node.name << ")";
  }
  void operator()(const Integer &node) {
    if (node.overflows)
      os << "(overflow " << node.spelling << ")";
    else
      os << node.value;
  }
  void operator()(const Float &node) { os << node.spelling; }
  void operator()(const String &node) {
    os << (node.isFString ? "f\"" : "\"");
    llvm::printEscapedString(node.value, os);
    os << "\"";
  }
  void operator()(const Bool &node) { os << (node.value ? "True" : "False"); }
  void operator()(const None &) { os << "None"; }
  void operator()(const Ellipsis &) { os << "..."; }
  void operator()(const Unary &node) {
    os << "(" << spelling(node.op) << " ";
    print(node.operand);
    os << ")";
  }
  void operator()(const Binary &node) {
    os << "(" << spelling(node.op) << " ";
    print(node.lhs);
    os << " ";
    print(node.rhs);
    os << ")";
  }
  void operator()(const Compare &node) {
    os << "(compare ";
    print(node.first);
    for (const CompareLink &link : node.links) {
      os << " " << spelling(link.op) << " ";
      print(link.operand);
    }
    os << ")";
  }
  void operator()(const BoolOp &node) {
    os << "(" << spelling(node.op);
    printAll(node.operands);
    os << ")";
  }
  void operator()(const Conditional &node) {
    os << "(if ";
    print(node.condition);
    os << " ";
    print(node.thenValue);
    os << " ";
    print(node.elseValue);
    os << ")";
  }
  void operator()(const Call &node) {
    os << "(call ";
    print(node.callee);
    printAll(node.args);
    for (const Keyword &keyword : node.keywords) {
      os << " " << keyword.name << "=";
      print(keyword.value);
    }
    os << ")";
  }
  void operator()(const Slice &node) {
    os << "(slice ";
    print(node.lower);
    os << " ";
    print(node.upper);
    os << " ";
    print(node.step);
    os << ")";
  }
  void operator()(const ExprPtr &expr) { print(expr); }
  void operator()(const Subscript &node) {
    os << "(index ";
    print(node.value);
    for (const SubscriptItem &item : node.items) {
      os << " ";
      std::visit(*this, item);
    }
    os << ")";
  }
  void operator()(const List &node) {
    os << "(list";
    printAll(node.elements);
    os << ")";
  }
  void operator()(const Tuple &node) {
    os << "(tuple";
    printAll(node.elements);
    os << ")";
  }
  void operator()(const Dict &node) {
    os << "(dict";
    for (size_t i = 0; i < node.keys.size(); ++i) {
      os << " ";
      print(node.keys[i]);
      if (!node.values[i])
        continue;
      os << ": ";
      print(node.values[i]);
    }
    os << ")";
  }
  void operator()(const Starred &node) {
    os << "(* ";
    print(node.value);
    os << ")";
  }
  void operator()(const DoubleStarred &node) {
    os << "(** ";
    print(node.value);
    os << ")";
  }
  void operator()(const NamedExpr &node) {
    os << "(:= " << node.name << " ";
    print(node.value);
    os << ")";
  }
  void operator()(const Set &node) {
    os << "(set";
    printAll(node.elements);
    os << ")";
  }
  void operator()(const Comprehension &node) {
    static constexpr StringRef names[] = {"list", "set", "dict", "generator"};
    os << "(" << names[static_cast<int>(node.kind)] << "-of ";
    print(node.element);
    if (node.value) {
      os << ": ";
      print(node.value);
    }
    for (const ForClause &clause : node.clauses) {
      os << " for ";
      print(clause.target);
      os << " in ";
      print(clause.iter);
      for (const ExprPtr &condition : clause.conditions) {
        os << " if ";
        print(condition);
      }
    }
    os << ")";
  }
  void operator()(const Lambda &node) {
    os << "(lambda";
    printParams(node.params);
    os << " : ";
    print(node.body);
    os << ")";
  }
  void printParams(const std::vector<Param> &params) {
    for (const Param &param : params) {
      static constexpr StringRef marks[] = {"", "/", "=", "*", "**"};
      os << " (" << marks[static_cast<int>(param.kind)] << param.name;
      if (param.annotation) {
        os << " : ";
        print(param.annotation);
      }
      if (param.defaultValue) {
        os << " = ";
        print(param.defaultValue);
      }
      os << ")";
    }
  }
  void operator()(const Unsupported &node) {
    os << "(unsupported " << node.what << ")";
  }

private:
  llvm::raw_ostream &os;
};

class StmtPrinter {
public:
  explicit StmtPrinter(llvm::raw_ostream &os) : os(os), exprs(os) {}

  void print(const Block &block) {
    for (const StmtPtr &stmt : block) {
      os.indent(indent);
      std::visit(*this, stmt->node);
    }
  }

  void operator()(const Assign &node) {
    os << "assign";
    for (const ExprPtr &target : node.targets)
      field("", target);
    field("= ", node.value);
    os << "\n";
  }
  void operator()(const AnnAssign &node) {
    os << "assign";
    field("", node.target);
    field(": ", node.annotation);
    field("= ", node.value);
    os << "\n";
  }
  void operator()(const AugAssign &node) {
    os << "assign";
    field("", node.target);
    os << " " << spelling(node.op) << "= ";
    exprs.print(node.value);
    os << "\n";
  }
  void operator()(const ExprStmt &node) { line("expr", node.value); }
  void operator()(const For &node) {
    os << "for";
    field("", node.target);
    field("in ", node.iter);
    body(node.body);
    orElse(node.orelse);
  }
  void operator()(const While &node) {
    os << "while";
    field("", node.condition);
    body(node.body);
    orElse(node.orelse);
  }
  void operator()(const If &node) {
    for (const IfBranch &branch : node.branches) {
      bool isFirst = &branch == &node.branches.front();
      if (!isFirst)
        os.indent(indent);
      os << (isFirst ? "if" : "elif");
      field("", branch.condition);
      body(branch.body);
    }
    orElse(node.orelse);
  }
  void operator()(const With &node) {
    os << "with";
    for (const WithItem &item : node.items) {
      field("", item.context);
      field("as ", item.target);
    }
    body(node.body);
  }
  void operator()(const Return &node) { line("return", node.value); }
  void operator()(const Break &) { os << "break\n"; }
  void operator()(const Continue &) { os << "continue\n"; }
  void operator()(const Pass &) { os << "pass\n"; }
  void operator()(const Assert &node) {
    os << "assert";
    field("", node.condition);
    field(", ", node.message);
    os << "\n";
  }
  void operator()(const FunctionDef &node) {
    os << "def " << node.name;
    decorators(node.decorators);
    exprs.printParams(node.params);
    field("-> ", node.returns);
    body(node.body);
  }
  void operator()(const ClassDef &node) {
    os << "class " << node.name;
    for (const ExprPtr &base : node.bases)
      field("of ", base);
    decorators(node.decorators);
    body(node.body);
  }
  void operator()(const Import &node) {
    os << "import";
    aliases(node.names);
  }
  void operator()(const ImportFrom &node) {
    os << "from " << node.module << " import";
    aliases(node.names);
  }
  void operator()(const Try &node) {
    os << "try";
    body(node.body);
    for (const ExceptClause &handler : node.handlers) {
      os.indent(indent) << "except";
      field("", handler.type);
      os << (handler.name.empty() ? "" : " as ") << handler.name;
      body(handler.body);
    }
    orElse(node.orelse);
    if (!node.finally.empty()) {
      os.indent(indent) << "finally";
      body(node.finally);
    }
  }
  void operator()(const Raise &node) { line("raise", node.value); }
  void operator()(const Delete &node) {
    os << "del";
    for (const ExprPtr &target : node.targets)
      field("", target);
    os << "\n";
  }
  void operator()(const Skipped &node) {
    os << "skipped " << node.what << ":";
    for (StringRef name : node.names)
      os << " " << name;
    os << "\n";
  }
  void operator()(const Unsupported &node) {
    os << "unsupported " << node.what << "\n";
  }

private:
  void field(StringRef label, const ExprPtr &expr) {
    if (!expr)
      return;
    os << " " << label;
    exprs.print(expr);
  }
  void line(StringRef keyword, const ExprPtr &expr) {
    os << keyword;
    field("", expr);
    os << "\n";
  }
  void body(const Block &block) {
    os << "\n";
    indent += 2;
    print(block);
    indent -= 2;
  }
  void orElse(const Block &block) {
    if (block.empty())
      return;
    os.indent(indent) << "else";
    body(block);
  }
  void decorators(const std::vector<ExprPtr> &list) {
    for (const ExprPtr &decorator : list)
      field("@", decorator);
  }
  void aliases(const std::vector<ImportAlias> &names) {
    for (const ImportAlias &alias : names) {
      os << " " << alias.name;
      if (alias.alias != alias.name)
        os << ":" << alias.alias;
    }
    os << "\n";
  }

  llvm::raw_ostream &os;
  ExprPrinter exprs;
  unsigned indent = 0;
};

} // namespace

std::string tegula::printAst(const Expr &expr) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ExprPrinter(os).print(expr);
  return text;
}

std::string tegula::printAst(const Module &module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  StmtPrinter(os).print(module.body);
  return text;
}
