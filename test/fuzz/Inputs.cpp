// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Inputs.h"

#include "tegula/frontend/Frontend.h"
#include "tegula/frontend/builtins/Reference.h"
#include "tegula/frontend/diagnostics/DiagnosticPrinter.h"
#include "tegula/ir/Register.h"
#include "tegula/support/SourceFiles.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace tegula;

/// A context keeps every type and name it has seen, so it is made anew now and
/// then.
static mlir::MLIRContext &getContext() {
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned numUses = 0;
  if (numUses++ % 500 == 0) {
    context = std::make_unique<mlir::MLIRContext>(
        mlir::MLIRContext::Threading::DISABLED);
    loadDialects(*context);
  }
  return *context;
}

void fuzz::expect(bool holds, const char *what) {
  if (holds)
    return;
  llvm::errs() << what << "\n";
  std::abort();
}

static void readSource(llvm::StringRef text) {
  mlir::MLIRContext &context = getContext();
  DiagnosticPrinter printer(context);
  printer.addSource("k.py", text);
  // Imports find nothing.
  SourceFiles files;
  files.add("k.py", text);
  auto module = generateModule(context, text, "k.py", "", {}, &files);
  fuzz::expect(static_cast<bool>(module) != printer.hasErrors(),
               "there is neither a module nor an error, or both");
  fuzz::expect(!module || succeeded(mlir::verify(*module)),
               "the module does not verify");
  printer.format();
}

static void readIr(llvm::StringRef text) {
  // MLIR's own parser does not survive array<index: 1>.
  if (text.contains("array"))
    return;
  mlir::MLIRContext &context = getContext();
  DiagnosticPrinter printer(context);
  printer.addSource("k.mlir", text);
  // MLIR's lexer needs the zero at the end of a string.
  std::string copy = text.str();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      copy, mlir::ParserConfig(&context), "k.mlir");
  fuzz::expect(module || printer.hasErrors(),
               "there is neither a module nor an error");
  if (!module)
    return;
  std::string printed;
  llvm::raw_string_ostream os(printed);
  module->print(os);
}

static std::vector<std::string> listSourceTokens() {
  std::vector<std::string> words = {
      "if",        "else",     "elif",   "for",      "while",   "in",
      "range",     "break",    "pass",   "continue", "True",    "False",
      "None",      "return",   "and",    "or",       "not",     "with",
      "def",       "class",    "import", "min",      "max",     "len",
      "//",        "**",       "<<",     ":=",       "->",      "+=",
      "0",         "1",        "-1",     "8",        "1.5",     "1e400",
      "0x10",      "99999999", "'a'",    "(1,)",     "{}",      "[]",
      "\n",        "\n    ",   "\t",     "pl.M",     "lambda",  "assert",
      "del",       "@",        "...",    "pl.FP32",  "pl.INT8", "pl.BOOL",
      "pl.Tensor", "pl.Out"};
  for (const FunctionEntry &entry : listFunctions())
    words.push_back(("pl." + entry.name).str());
  return words;
}

static std::vector<std::string> listIrTokens() {
  std::vector<std::string> words = {"index",
                                    "i1",
                                    "i64",
                                    "f16",
                                    "f32",
                                    "bf16",
                                    "0",
                                    "1",
                                    "-1",
                                    "8",
                                    "9999999999",
                                    "true",
                                    "!pl.tensor<[?], f32>",
                                    "!pl.tile<[?], f32>",
                                    "upto",
                                    "%0",
                                    "%arg0",
                                    "()",
                                    "->",
                                    "dense"};
  for (mlir::RegisteredOperationName name :
       getContext().getRegisteredOperations())
    words.push_back(name.getStringRef().str());
  return words;
}

const fuzz::Input fuzz::source = {"source", readSource, listSourceTokens};
const fuzz::Input fuzz::ir = {"ir", readIr, listIrTokens};

llvm::ArrayRef<const fuzz::Input *> fuzz::listInputs() {
  static const Input *const inputs[] = {
      &source, &ir, &npy, &cache, &machine, &ptx, &model, &lsp, &playground};
  return inputs;
}
