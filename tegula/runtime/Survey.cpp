// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/runtime/Survey.h"
#include "tegula/frontend/irgen/NameListener.h"
#include "tegula/runtime/check/KernelChecker.h"
#include <map>
#include <tuple>

using namespace tegula;

namespace {

/// Keeps what was said last of each location.
struct Collector : NameListener {
  void hear(mlir::Location loc, llvm::StringRef name, const std::string &what,
            NameUse use) override {
    auto fileLoc = loc->findInstanceOf<mlir::FileLineColLoc>();
    if (!fileLoc || what.empty())
      return;
    NamedLocation heard = {
        {fileLoc.getFilename().str(), fileLoc.getLine(), fileLoc.getColumn()},
        name.str(),
        what,
        use == NameUse::Bound};
    names[{heard.location.file, heard.location.line, heard.location.column}] =
        heard;
  }

  std::map<std::tuple<std::string, unsigned, unsigned>, NamedLocation> names;
};

} // namespace

Survey tegula::surveySource(const KernelSource &source) {
  Survey survey;
  Collector collector;
  Compilation compilation(source);
  compilation.setListener(&collector);
  survey.diagnostics = KernelChecker(compilation, Explain::Facts).checkAll();
  for (auto &[location, name] : collector.names)
    survey.names.push_back(std::move(name));
  return survey;
}
