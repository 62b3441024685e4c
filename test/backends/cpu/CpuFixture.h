// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Compiles textual pl modules for this machine, runs them, and compares every
/// tensor with what the interpreter makes of the same arguments.

#ifndef TEGULA_TEST_BACKENDS_CPU_CPUFIXTURE_H
#define TEGULA_TEST_BACKENDS_CPU_CPUFIXTURE_H

#include "tegula/backends/cpu/CpuMachine.h"
#include "tegula/backends/cpu/Pipeline.h"
#include "tegula/backends/cpu/object/Jit.h"
#include "tegula/ir/interpreter/Interpreter.h"
#include "tegula/ir/ops/PlOps.h"
#include "tegula/transforms/PipelineBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace tegula {

/// A tensor with room around it, so that writes next to it are noticed.
struct TestTensor {
  DType dtype = DType::FP32;
  std::vector<int64_t> sizes, strides;
  std::vector<char> bytes;
  int64_t start = 0;

  /// Strides count in elements; row-major if none are given.
  TestTensor(DType dtype, std::vector<int64_t> extents,
             std::vector<int64_t> steps = {})
      : dtype(dtype), sizes(std::move(extents)), strides(std::move(steps)) {
    if (strides.empty()) {
      strides.resize(sizes.size());
      int64_t step = 1;
      for (size_t axis = sizes.size(); axis-- > 0; step *= sizes[axis])
        strides[axis] = step;
    }
    int64_t low = 0, high = 0;
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      int64_t reach = std::max<int64_t>(0, sizes[axis] - 1) * strides[axis];
      (reach < 0 ? low : high) += reach;
    }
    // A tensor of half bytes starts with a byte.
    start = llvm::alignTo<2>(32 - low);
    bytes.assign(getDenseBytes(high - low + 66, dtype), 0);
  }

  TensorView view() {
    return TensorView(bytes.data() + getDenseBytes(start, dtype), dtype, sizes,
                      strides);
  }

  /// The address of an element, counted from the first of those around it.
  char *at(int64_t element) const {
    TensorView all(const_cast<char *>(bytes.data()), dtype, {});
    return all.getFirstElement() + element * getSize(dtype);
  }
  int64_t getNumElements() const {
    return isHalfByte(dtype) ? 2 * bytes.size() : bytes.size() / getSize(dtype);
  }

  /// Numbers of both signs, small enough that sums of them stay close.
  TestTensor &fill(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> reals(-2, 2);
    for (int64_t element = 0; element < getNumElements(); ++element) {
      double number = reals(random);
      if (dtype == DType::Bool)
        number = number > 0;
      else if (isUnsigned(dtype))
        number = std::floor(std::abs(number) * 50);
      else if (!isFloat(dtype))
        number = std::floor(number * 50);
      writeElement(at(element), dtype, number);
    }
    return *this;
  }
};

/// An argument of a test call: a tensor or a scalar.
using TestArgument = std::variant<TestTensor *, pl::Scalar>;

/// Options with which every independent loop is shared out among threads.
inline CpuOptions optionsWithThreads() {
  CpuOptions options = CpuOptions::forHost();
  options.leastParallelWork = 1;
  return options;
}

class CpuTest : public ::testing::Test {
protected:
  CpuTest() {
    mlir::DialectRegistry registry;
    registry.insert<pl::PlDialect, mlir::func::FuncDialect,
                    mlir::math::MathDialect, mlir::scf::SCFDialect>();
    mlir::arith::registerValueBoundsOpInterfaceExternalModels(registry);
    mlir::scf::registerValueBoundsOpInterfaceExternalModels(registry);
    registerCpuDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Compiles the module's one function.
  void compile(llvm::StringRef source) {
    kernel.reset();
    module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    ASSERT_TRUE(module);
    mlir::OwningOpRef<mlir::ModuleOp> lowered = module->clone();
    mlir::PassManager pm = mlir::PassManager::on<mlir::ModuleOp>(&context);
    PipelineBuilder builder(pm);
    buildCpuPipeline(builder, options, getCpuMachine(options.useThreads));
    ASSERT_TRUE(succeeded(pm.run(*lowered)));
    auto compiled = compileToNative(*lowered, options);
    ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
    kernel = std::move(*compiled);
  }

  TegulaCallState call(llvm::ArrayRef<TestArgument> arguments) {
    std::vector<int64_t> slots;
    for (const TestArgument &argument : arguments) {
      if (auto *number = std::get_if<pl::Scalar>(&argument)) {
        slots.push_back(number->getBits());
        continue;
      }
      TensorView view = std::get<TestTensor *>(argument)->view();
      slots.push_back(reinterpret_cast<int64_t>(view.data));
      slots.insert(slots.end(), view.sizes, view.sizes + view.rank);
      slots.insert(slots.end(), view.strides, view.strides + view.rank);
    }
    TegulaCallState state = {};
    kernel->entry(slots.data(), &state);
    return state;
  }

  /// Calls the kernel; afterwards every tensor must be what the interpreter
  /// makes it, up to `tolerance` relative to the larger of 1 and the number.
  void check(llvm::ArrayRef<TestArgument> arguments, double tolerance = 0) {
    ASSERT_TRUE(kernel);
    std::vector<TestTensor> expected;
    expected.reserve(arguments.size());
    std::vector<pl::Argument> copies;
    for (const TestArgument &argument : arguments) {
      if (auto *number = std::get_if<pl::Scalar>(&argument)) {
        copies.push_back(*number);
        continue;
      }
      expected.push_back(*std::get<TestTensor *>(argument));
      copies.push_back(expected.back().view());
    }
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    ASSERT_TRUE(succeeded(pl::interpret(function, copies)));
    ASSERT_EQ(call(arguments).error, TegulaNoError);
    size_t next = 0;
    for (const TestArgument &argument : arguments)
      if (auto *const *tensor = std::get_if<TestTensor *>(&argument))
        compare(**tensor, expected[next++], tolerance);
  }

  void compare(const TestTensor &found, const TestTensor &wanted,
               double tolerance) {
    int failures = 0;
    for (int64_t at = 0; at < found.getNumElements(); ++at) {
      double a = readElement(found.at(at), found.dtype);
      double b = readElement(wanted.at(at), wanted.dtype);
      bool isSame = a == b || (std::isnan(a) && std::isnan(b)) ||
                    std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
      if (!isSame && ++failures <= 3)
        ADD_FAILURE() << "element " << at - found.start << ": got " << a
                      << ", wanted " << b;
    }
    EXPECT_EQ(failures, 0);
  }

  mlir::MLIRContext context;
  CpuOptions options = optionsWithThreads();
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<NativeKernel> kernel;
};

} // namespace tegula

#endif // TEGULA_TEST_BACKENDS_CPU_CPUFIXTURE_H
