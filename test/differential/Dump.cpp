// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/Dump.h"

#include "tegula/support/Npy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace tegula;
using namespace tegula::differential;

static void stopIf(std::error_code code, const std::string &path) {
  if (!code)
    return;
  llvm::errs() << path << ": " << code.message() << "\n";
  std::exit(1);
}

Dump::Dump(const std::string &folder, const std::string &source)
    : folder(folder) {
  stopIf(llvm::sys::fs::create_directories(folder), folder);
  write("kernel.py", source);
}

void Dump::write(const std::string &name, llvm::StringRef bytes) {
  std::string path = folder + "/" + name;
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  stopIf(code, path);
  file << bytes;
  file.close();
  stopIf(file.error(), path);
}

void Dump::writeTensors(const char *what, llvm::ArrayRef<Argument> arguments,
                        bool isResult) {
  for (auto [parameter, argument] : llvm::zip(signature->parameters, arguments))
    if (parameter.isTensor() && (!isResult || parameter.isWritten()))
      write(llvm::formatv("{0}.{1}.{2}.npy", numCalls, parameter.name, what),
            formatNpy(argument.getTensor()));
}

/// JSON has no words for what is not finite; these are strings.
static llvm::json::Value toJson(double number) {
  if (std::isfinite(number))
    return number;
  return std::isnan(number) ? "nan" : number < 0 ? "-inf" : "inf";
}

void Dump::begin(const Signature &signature, const Sizes &sizes,
                 llvm::ArrayRef<Argument> arguments) {
  this->signature = &signature;
  ++numCalls;
  llvm::json::Object extents, scalars, tensors;
  for (const auto &[symbol, size] : sizes)
    extents[symbol] = size;
  for (auto [parameter, argument] :
       llvm::zip(signature.parameters, arguments)) {
    if (parameter.isTensor())
      tensors[parameter.name] =
          llvm::json::Array(argument.getTensor().getSizes());
    else if (argument.isFloat())
      scalars[parameter.name] = toJson(argument.getFloat());
    else
      scalars[parameter.name] = static_cast<int64_t>(argument.getIntegerBits());
  }
  call = llvm::json::Object{{"sizes", std::move(extents)},
                            {"scalars", std::move(scalars)},
                            {"extents", std::move(tensors)}};
  writeTensors("given", arguments, /*isResult=*/false);
}

void Dump::addRun(const char *run, const std::string &problem,
                  llvm::ArrayRef<Argument> arguments) {
  call[run] = llvm::json::fixUTF8(problem);
  if (problem.empty())
    writeTensors(run, arguments, /*isResult=*/true);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object(call));
  write(std::to_string(numCalls) + ".json", text);
}
