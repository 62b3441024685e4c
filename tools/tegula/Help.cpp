// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tegula help pl.load`: what the names of the language take and mean, and
// `tegula help targets` and `tegula help passes`.

#include "tegula/frontend/builtins/Reference.h"
#include "tegula/frontend/constants/NamesElsewhere.h"
#include "tegula/runtime/Compiler.h"
#include "tools/tegula/Commands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;
using llvm::StringRef;

/// The theme's functions as a table, which is what its page in docs/ops has.
static Expected<int> printTable(StringRef theme) {
  std::vector<FunctionEntry> functions = listFunctions();
  llvm::erase_if(functions, [&](const FunctionEntry &entry) {
    return entry.theme != theme;
  });
  if (functions.empty())
    return makeError("there are no functions with the theme '{0}'", theme);
  llvm::outs() << "| function | |\n|---|---|\n";
  for (const FunctionEntry &entry : functions)
    llvm::outs() << "| `pl." << entry.name << "(" << entry.parameters << ")` | "
                 << entry.meaning << " |\n";
  return 0;
}

/// The parameters that change nothing, as a table.
static void printIgnored() {
  llvm::outs() << "| parameters without effect | because |\n|---|---|\n";
  for (const IgnoredParameters &group : listIgnored()) {
    llvm::outs() << "| ";
    llvm::interleaveComma(group.names, llvm::outs(), [](StringRef name) {
      llvm::outs() << "`" << name << "`";
    });
    llvm::outs() << " | " << group.why << " |\n";
  }
}

static void printAll() {
  StringRef theme;
  for (const FunctionEntry &entry : listFunctions()) {
    if (entry.theme != theme)
      llvm::outs() << (theme.empty() ? "" : "\n") << entry.theme << "\n";
    theme = entry.theme;
    llvm::outs() << "  pl." << entry.name << "(" << entry.parameters << ")\n";
  }
  StringRef kind;
  for (const ConstructEntry &entry : listConstructs()) {
    if (entry.kind != kind)
      llvm::outs() << "\n" << entry.kind << "\n";
    kind = entry.kind;
    llvm::outs() << "  pl." << entry.name
                 << (entry.parameters.empty()
                         ? ""
                         : ("(" + entry.parameters + ")").str())
                 << "\n";
  }
  llvm::outs() << "\n'tegula help pl.NAME' says what one of them means.\n";
}

static Expected<int> printOne(StringRef name) {
  std::vector<FunctionEntry> functions = listFunctions();
  std::vector<StringRef> names;
  for (const FunctionEntry &entry : functions) {
    if (entry.name == name) {
      llvm::outs() << formatFunction(entry) << "\n";
      return 0;
    }
    names.push_back(entry.name);
  }
  for (const ConstructEntry &entry : listConstructs()) {
    if (entry.name == name) {
      llvm::outs() << formatConstruct(entry) << "\n";
      return 0;
    }
    names.push_back(entry.name);
  }
  return makeError("there is no name 'pl.{0}'{1}", name, suggest(name, names));
}

/// The constructs as a table for scripts.
static void printConstructs() {
  llvm::outs() << "| construct | | kind |\n|---|---|---|\n";
  for (const ConstructEntry &entry : listConstructs())
    llvm::outs() << "| `pl." << entry.name << "(" << entry.parameters << ")` | "
                 << entry.meaning << " | " << entry.kind << " |\n";
}

/// What other systems call functions, and what is written here.
static void printElsewhere() {
  llvm::outs() << "| elsewhere | here |\n|---|---|\n";
  for (const NamesElsewhere &entry : listNamesElsewhere()) {
    llvm::SmallVector<StringRef> names;
    StringRef(entry.names).split(names, ' ');
    llvm::outs() << "| `" << llvm::join(names, "`, `") << "` | `" << entry.here
                 << "` |\n";
  }
}

static void printTargets() {
  for (const TargetKind &kind : listTargets())
    llvm::outs() << "  " << kind.usage << "\n      " << kind.summary << "\n";
}

/// The passes that kernels for a target go through. One can stop after each.
static Expected<int> printPasses(StringRef target) {
  Expected<std::vector<PassDescription>> passes = listPasses(target);
  if (!passes)
    return passes.takeError();
  for (const PassDescription &pass : *passes)
    llvm::outs() << "  " << llvm::left_justify(pass.name, 36) << " "
                 << pass.summary << "\n";
  llvm::outs() << "\n'tegula ir FILE --stage " << passStagePrefix
               << "PASS' prints a kernel after one of them.\n";
  return 0;
}

Expected<int> tegula::runHelp(llvm::ArrayRef<StringRef> words) {
  StringRef topic = words.front();
  if (topic == "--names") {
    for (const FunctionEntry &entry : listFunctions())
      llvm::outs() << entry.name << "\n";
    return 0;
  }
  if (topic == "--markdown" && words.size() == 2 && words[1] == "ignored") {
    printIgnored();
    return 0;
  }
  if (topic == "--markdown" && words.size() == 2 &&
      (words[1] == "constructs" || words[1] == "forms")) {
    printConstructs();
    return 0;
  }
  if (topic == "--markdown" && words.size() == 2 && words[1] == "elsewhere") {
    printElsewhere();
    return 0;
  }
  if (topic == "--markdown" && words.size() == 2)
    return printTable(words[1]);
  if (topic == "targets") {
    printTargets();
    return 0;
  }
  if (topic == "passes" && words.size() <= 2)
    return printPasses(words.size() == 2 ? words[1] : "");
  if (topic == "pl") {
    printAll();
    return 0;
  }
  topic.consume_front("pl.");
  if (!topic.consume_front("tensor."))
    topic.consume_front("tile.");
  return printOne(topic);
}
