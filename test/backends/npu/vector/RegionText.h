// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Vector regions written as text, for tests.

#ifndef TEGULA_TEST_BACKENDS_NPU_VECTOR_REGIONTEXT_H
#define TEGULA_TEST_BACKENDS_NPU_VECTOR_REGIONTEXT_H

#include "tegula/backends/npu/vector/LowerRow.h"
#include "tegula/backends/npu/vector/VectorCost.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

namespace tegula {

/// How an operand of a region over rows and columns is traversed.
inline constexpr llvm::StringLiteral matrix = "(r, c) -> (r, c)";
inline constexpr llvm::StringLiteral column = "(r, c) -> (r)";
inline constexpr llvm::StringLiteral row = "(r, c) -> (c)";

/// An operand: its map and the type of its elements.
struct OperandText {
  llvm::StringRef map;
  std::string element;
  std::string layout = "";
};

/// A function with one linalg.generic over rows and columns. Block arguments
/// are %0, %1 ...; the last operand is the output; `body` ends with its yield.
inline std::string regionText(std::vector<OperandText> operands,
                              const std::string &body,
                              const std::string &kinds) {
  std::string maps, arguments, blockArguments;
  std::vector<std::string> names, types;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    std::string comma = index == 0 ? "" : ", ";
    std::string rank = operand.map == matrix ? "?x?x" : "?x";
    names.push_back("%m" + std::to_string(index));
    types.push_back("memref<" + rank + operand.element + operand.layout + ">");
    maps += comma + "affine_map<" + operand.map.str() + ">";
    arguments += comma + names.back() + ": " + types.back();
    blockArguments +=
        comma + "%" + std::to_string(index) + ": " + operand.element;
  }
  std::string output = names.back() + " : " + types.back();
  names.pop_back();
  types.pop_back();
  return "func.func @f(" + arguments +
         ") {\n  linalg.generic {indexing_maps = [" + maps +
         "], iterator_types = [" + kinds + "]} ins(" + llvm::join(names, ", ") +
         " : " + llvm::join(types, ", ") + ") outs(" + output + ") {\n  ^bb0(" +
         blockArguments + "):\n" + body + "\n  }\n  return\n}\n";
}

inline constexpr const char *elementwise = "\"parallel\", \"parallel\"";
inline constexpr const char *ofRows = "\"parallel\", \"reduction\"";
inline constexpr const char *ofColumns = "\"reduction\", \"parallel\"";

/// A region and what it lives in.
class Region {
public:
  explicit Region(const std::string &text) {
    mlir::DialectRegistry registry;
    registry.insert<mlir::linalg::LinalgDialect, mlir::memref::MemRefDialect>();
    registerRowDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
  }

  mlir::linalg::GenericOp get() {
    mlir::linalg::GenericOp found;
    module->walk([&](mlir::linalg::GenericOp op) { found = op; });
    return found;
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace tegula

#endif // TEGULA_TEST_BACKENDS_NPU_VECTOR_REGIONTEXT_H
