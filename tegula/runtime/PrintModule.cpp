// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/PrintModule.h"

#include "tegula/ir/ops/PlDialect.h"
#include "tegula/runtime/Compilation.h"
#include "tegula/runtime/ImageMaker.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"

using namespace tegula;

/// Parameters are named by an attribute; other values by where they are.
static void nameParameters(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::func::FuncOp>())
    for (unsigned i = 0;
         !function.isExternal() && i < function.getNumArguments(); ++i)
      if (auto name =
              function.getArgAttrOfType<mlir::StringAttr>(i, pl::nameAttrName))
        function.getArgument(i).setLoc(
            mlir::NameLoc::get(name, function.getArgument(i).getLoc()));
}

StageText tegula::printModule(mlir::ModuleOp module) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  nameParameters(*copy);
  mlir::AsmState::LocationMap lines;
  mlir::OpPrintingFlags flags;
  flags.printNameLocAsPrefix();
  mlir::AsmState state(*copy, flags, &lines);
  StageText printed;
  llvm::raw_string_ostream stream(printed.text);
  copy->print(stream, state);
  stream << "\n";
  printed.locations.resize(llvm::StringRef(printed.text).count('\n'));
  for (auto [op, range] : lines) {
    auto written = op->getLoc()->findInstanceOf<mlir::FileLineColLoc>();
    if (!written || range.first == 0 || range.first > printed.locations.size())
      continue;
    printed.locations[range.first - 1] = {
        written.getFilename().str(), written.getLine(), written.getColumn()};
  }
  return printed;
}

Expected<StageText> tegula::printStageText(const KernelSource &source,
                                           llvm::StringRef stage,
                                           llvm::ArrayRef<Argument> arguments) {
  Expected<KernelSource> loaded = readSource(source);
  if (!loaded)
    return loaded.takeError();
  Compilation compilation(std::move(*loaded));
  if (Error error = compilation.generate(arguments))
    return error;
  Expected<std::string> text = ImageMaker(compilation).print(stage);
  if (!text)
    return text.takeError();
  if (knowsLocations(stage))
    return printModule(compilation.getModule());
  return StageText{std::move(*text), {}};
}
