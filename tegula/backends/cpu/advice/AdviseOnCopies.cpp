// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/backends/cpu/advice/Advice.h"

#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/ir/ops/attributes/SpaceAttribute.h"
#include "tegula/support/ReshapeStrides.h"
#include "tegula/transforms/plan/BufferSize.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tegula;
using llvm::formatv;

namespace {

/// Looks for copies in one function.
class Copies {
public:
  explicit Copies(Advised &advised)
      : advised(advised), placement(advised.plan.placement) {}

  void find() {
    advised.function.walk([&](Operation *op) {
      if (auto load = dyn_cast<pl::LoadOp>(op))
        look(load);
      if (auto store = dyn_cast<pl::StoreOp>(op))
        look(store);
      if (auto matmul = dyn_cast<pl::MatmulOp>(op)) {
        look(matmul, matmul.getLhsMutable(), "lhs");
        look(matmul, matmul.getRhsMutable(), "rhs");
      }
      if (auto view = dyn_cast<pl::ViewOp>(op))
        look(view);
      if (auto transpose = dyn_cast<pl::TransposeOp>(op))
        look(transpose);
    });
  }

private:
  /// "64 x 128 elements, 32768 bytes, 16 times a call"; empty if that is
  /// little, or not known.
  std::string describe(Operation *op, Value shaped) {
    std::optional<Extents> extents = advised.shapes.findExtents(shaped);
    double runs = advised.shapes.countRuns(op);
    if (!extents || elementsOf(*extents) * runs < leastAdvised)
      return "";
    Type element = memoryType(pl::getElementOrSelf(shaped.getType()));
    double bytes = elementsOf(*extents) * element.getIntOrFloatBitWidth() / 8;
    std::string often =
        runs > 1 ? formatv(", {0} times a call", static_cast<int64_t>(runs))
                 : std::string();
    return formatv("{0} elements, {1} bytes{2}", formatExtents(*extents),
                   static_cast<int64_t>(bytes), often);
  }

  void look(pl::LoadOp load) {
    std::string what = describe(load, load.getResult());
    if (what.empty() || !placement.getBuffer(load.getResult()))
      return;
    std::string name = nameTensor(load.getSource());
    bool isHalves =
        isHalfByteInTensors(load.getSource().getType().getElementType());
    std::string why =
        isHalves ? "two of them share a byte there; load a tile once for all "
                   "that is done with it"
                 : formatv("{0} may be written before the tile is last used; "
                           "write to another tensor, or after the last use",
                           name)
                       .str();
    if (!isHalves && pl::getSpaceAttr(load))
      why = "the tile asks for a memory of its own; leave out its "
            "target_memory";
    advised.remark(
        load.getLoc(),
        formatv("copies what it reads of {0} to scratch memory, {1}: "
                "{2}",
                name, what, why));
  }

  void look(pl::StoreOp store) {
    std::string what = describe(store, store.getTile());
    Type element = store.getTarget().getType().getElementType();
    if (what.empty() || isHalfByteInTensors(element) ||
        !placement.getBuffer(store.getTileMutable()))
      return;
    std::string name = nameTensor(store.getTarget());
    advised.remark(store.getLoc(),
                   formatv("computes in scratch memory and copies to {0} then, "
                           "{1}: other elements of {0} are read to compute "
                           "these; write to another tensor",
                           name, what));
  }

  /// What makes an operand that has no memory.
  static std::string adviseOnOperand(Value operand) {
    Operation *op = operand.getDefiningOp();
    if (isa_and_nonnull<pl::CastOp>(op))
      return "it is converted; pass it in the type it is multiplied in, or "
             "convert it before the loop";
    if (isa_and_nonnull<pl::TransposeOp>(op))
      return "it is transposed; let the matmul do that (a_trans, b_trans)";
    return "it is computed; if several iterations have the same one, compute "
           "it "
           "before the loop";
  }

  void look(pl::MatmulOp matmul, OpOperand &operand, const char *side) {
    std::string what = describe(matmul, operand.get());
    if (what.empty() || !placement.getBuffer(operand))
      return;
    advised.remark(matmul.getLoc(),
                   formatv("the {0} goes to scratch memory before it is "
                           "multiplied, {1}: {2}",
                           side, what, adviseOnOperand(operand.get())));
  }

  /// Whether somebody computes with the elements of a tile: stores and matmuls
  /// read them in place.
  static bool isComputedWith(Value tile) {
    return llvm::any_of(tile.getUsers(), [](Operation *user) {
      if (isa<pl::RelaxOp>(user))
        return isComputedWith(user->getResult(0));
      return !isa<pl::StoreOp, pl::MatmulOp, pl::DimOp>(user);
    });
  }

  /// Columns become rows before loops go along them, unless they lie as rows
  /// already.
  void look(pl::TransposeOp transpose) {
    unsigned last = transpose.getPermutation().back();
    std::string what = describe(transpose, transpose.getResult());
    if (what.empty() || last + 1 == transpose.getPermutation().size() ||
        !isComputedWith(transpose.getResult()))
      return;
    auto load = transpose.getSource().getDefiningOp<pl::LoadOp>();
    std::optional<Extents> extents =
        advised.shapes.findExtents(transpose.getSource());
    std::optional<Extents> strides =
        load ? advised.shapes.findStrides(load.getSource()) : std::nullopt;
    if (!extents || extents->back() == 1 || (*extents)[last] == 1 ||
        (strides && (*strides)[last] == 1))
      return;
    std::string name = load ? nameTensor(load.getSource()) : "the tile";
    advised.remark(
        transpose.getLoc(),
        formatv("copies what it transposes to scratch memory, {0}: "
                "vectors go along rows; transpose {1} once, where it "
                "is made or in a kernel before, if it is used more "
                "than once",
                what, name));
  }

  /// By the same rule as the call.
  void look(pl::ViewOp view) {
    std::string what = describe(view, view.getResult());
    std::optional<Extents> from = advised.shapes.findExtents(view.getSource());
    std::optional<Extents> steps = advised.shapes.findStrides(view.getSource());
    std::optional<Extents> to = advised.shapes.findExtents(view.getResult());
    if (what.empty() || !from || !steps || !to ||
        elementsOf(*from) != elementsOf(*to))
      return;
    Extents made(to->size());
    StridedShape shape{static_cast<int64_t>(from->size()), from->data(),
                       steps->data()};
    if (computeReshapedStrides(shape, static_cast<int64_t>(to->size()),
                               to->data(), made.data()))
      return;
    advised.remark(
        view.getLoc(),
        formatv("copies {0} to give it the shape {1}, {2}: no strides "
                "reach its elements in that shape; pass it without "
                "gaps, or in that shape",
                nameTensor(view.getSource()), formatExtents(*to), what));
  }

  Advised &advised;
  const Placement &placement;
};

} // namespace

void tegula::adviseOnCopies(Advised &advised) { Copies(advised).find(); }
