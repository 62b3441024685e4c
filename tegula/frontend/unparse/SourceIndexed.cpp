// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that find their elements by an index, and reinterpretation, as source.
#include "tegula/frontend/unparse/SourceExpressions.h"
#include "tegula/ir/PlIndexOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tegula;
using namespace mlir;

std::optional<WrittenSource> ExpressionWriter::indexedOp(Operation *op) {
  auto tile = [&](Value value) {
    return write(shownValue(value), Wanted::Tile, Strength::Any);
  };
  using Result = std::optional<WrittenSource>;
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](pl::GatherOp gather) -> Result {
        std::string text = "pl.gather(" + tile(gather.getSource());
        if (std::optional<int64_t> axis = gather.getAxis())
          text += ", dim=" + std::to_string(*axis);
        return WrittenSource{text + ", index=" + tile(gather.getIndex()) + ")"};
      })
      .Case([&](pl::ScatterOp scatter) -> Result {
        std::string text = "pl.scatter(" + tile(scatter.getTarget());
        if (std::optional<int64_t> axis = scatter.getAxis()) {
          text += ", dim=" + std::to_string(*axis);
          text += ", index=" + tile(scatter.getIndex());
          return WrittenSource{text + ", src=" + tile(scatter.getSource()) +
                               ")"};
        }
        text += ", " + tile(scatter.getSource());
        return WrittenSource{text + ", " + tile(scatter.getIndex()) + ")"};
      })
      .Case([&](pl::BitcastOp bits) -> Result {
        return WrittenSource{"pl.reinterpret_view(" + tile(bits.getOperand()) +
                             ", " + writeDtype(bits.getElement()) + ")"};
      })
      .Default([](Operation *) -> Result { return std::nullopt; });
}
