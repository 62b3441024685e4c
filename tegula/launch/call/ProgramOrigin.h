// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Programs that are compiled by a compiler which is loaded when it is needed.

#ifndef TEGULA_LAUNCH_CALL_PROGRAMORIGIN_H
#define TEGULA_LAUNCH_CALL_PROGRAMORIGIN_H

#include "tegula/launch/call/Dispatcher.h"
#include "tegula/launch/image/CompilerService.h"

namespace tegula {

/// A program that the Python side captured.
class ProgramOrigin : public KernelOrigin {
public:
  explicit ProgramOrigin(std::shared_ptr<const Program> program)
      : program(std::move(program)) {}

  std::string getKey() const override { return program->key(); }
  Problem describe(Signature &declared) override;
  Problem compile(llvm::ArrayRef<Argument> arguments,
                  KernelImage &image) override;

private:
  std::shared_ptr<const Program> program;
};

} // namespace tegula

#endif // TEGULA_LAUNCH_CALL_PROGRAMORIGIN_H
