// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/extents/ExtentFacts.h"
#include "tegula/ir/extents/IndexExpression.h"
#include "tegula/ir/ops/PlIndexOps.h"
#include "tegula/ir/ops/PlRequireOps.h"
#include "tegula/ir/ops/PlSortOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace tegula {
#define GEN_PASS_DEF_REQUIREINT32INDICES
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

/// The axis that an op counts indices along, and how long that may be.
struct CountedAxis {
  Value shaped;
  unsigned axis;
  int64_t most = INT32_MAX;

  static std::optional<CountedAxis> of(Operation *op);
  bool isShort() const {
    pl::Dim dim = pl::getDims(shaped.getType())[axis];
    return dim.hasBound() && dim.getBound() <= most;
  }
};

struct RequireInt32IndicesPass
    : tegula::impl::RequireInt32IndicesBase<RequireInt32IndicesPass> {
  void runOnOperation() override;
};

} // namespace

std::optional<CountedAxis> CountedAxis::of(Operation *op) {
  using Found = std::optional<CountedAxis>;
  auto lastOf = [](Value shaped) -> unsigned {
    return pl::getDims(shaped.getType()).size() - 1;
  };
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case<pl::ArgReduceOp, pl::SortRowsOp>([](auto rows) {
        return CountedAxis{rows.getSource(),
                           static_cast<unsigned>(rows.getAxis())};
      })
      .Case([&](pl::FindOp find) {
        return CountedAxis{find.getMask(), lastOf(find.getMask())};
      })
      // A pair takes two columns.
      .Case([&](pl::MergeRunsOp merge) {
        return CountedAxis{merge.getTarget(), lastOf(merge.getTarget()),
                           2 * int64_t(INT32_MAX)};
      })
      .Default(Found());
}

/// "axis 1 of 'x'", if the extent is that of a parameter, else what it is.
static std::string nameOf(Value extent, func::FuncOp function) {
  if (auto bind = extent.getDefiningOp<pl::BindOp>())
    if (auto tensor = dyn_cast<BlockArgument>(bind.getTensors()[0]))
      if (auto name = function.getArgAttrOfType<StringAttr>(
              tensor.getArgNumber(), pl::nameAttrName))
        return llvm::formatv("axis {0} of '{1}'", bind.getAxes()[0],
                             name.getValue());
  std::string text = pl::formatIndex(extent);
  return text.empty() ? "the extent" : text;
}

/// extent // (most + 1) < 1: a comparison with the extent itself would be a
/// bound, and tiles that have one are taken for small.
static pl::RequireOp require(Operation *op, const CountedAxis &counted) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto index = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  auto made = counted.shaped.getDefiningOp<pl::CreateTensorOp>();
  Value extent =
      made ? made.getSizes()[counted.axis]
           : pl::buildExtent(builder, loc, counted.shaped, counted.axis);
  Value times = arith::FloorDivSIOp::create(builder, loc, extent,
                                            index(counted.most + 1));
  Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                     times, index(1));
  return pl::RequireOp::create(builder, loc, fits, std::to_string(counted.most),
                               pl::derivedOrigin, builder.getStrArrayAttr({""}),
                               extent, /*argument=*/-1, /*axis=*/-1,
                               /*at_call=*/false);
}

void RequireInt32IndicesPass::runOnOperation() {
  func::FuncOp function = getOperation();
  SmallVector<pl::RequireOp> requirements;
  function.walk([&](Operation *op) {
    std::optional<CountedAxis> counted = CountedAxis::of(op);
    if (counted && !counted->isShort())
      requirements.push_back(require(op, *counted));
  });
  if (requirements.empty())
    return;
  // How they speak of extents is known when it is known what these are.
  pl::resolveExtents(function);
  function.walk([](pl::DimOp dim) {
    if (dim->use_empty())
      dim->erase();
  });
  Builder builder(&getContext());
  for (pl::RequireOp op : requirements) {
    Value extent = op.getSizes().front();
    std::string name = pl::formatIndex(extent);
    op.setText(llvm::formatv("{0} <= {1}, because indices are INT32",
                             name.empty() ? "an extent" : name, op.getText())
                   .str());
    op.setNamesAttr(builder.getStrArrayAttr({nameOf(extent, function)}));
  }
}
