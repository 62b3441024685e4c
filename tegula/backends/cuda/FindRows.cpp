// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms for kernels that do the same with every row, and for products whose
// sums are used so.

#include "tegula/backends/cuda/Passes.h"
#include "tegula/backends/cuda/ProductStore.h"
#include "tegula/backends/cuda/RowForms.h"
#include "tegula/backends/cuda/TileStore.h"
#include "tegula/launch/gpu/GpuProduct.h"

namespace tegula {
#define GEN_PASS_DEF_CUDAFINDROWS
#include "tegula/backends/cuda/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

namespace {

struct CudaFindRowsPass : tegula::impl::CudaFindRowsBase<CudaFindRowsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
    if (functions.size() != 1 || functions.front().isExternal())
      return;
    FormRefusal unasked;
    std::optional<RowKernel> program =
        RowKernel::find(functions.front(), unasked);
    if (!program)
      return;
    OpBuilder builder(module.getBodyRegion());
    builder.setInsertionPointToEnd(module.getBody());
    bool isProduct = program->product.has_value();
    auto made = ModuleOp::create(builder, module.getLoc(),
                                 isProduct ? storeModuleName : rowsModuleName);
    GpuRows rows;
    if (isProduct) {
      rows = describeRows(*program);
      if (hasHopperForm(elementOf(*program->product)))
        emitProductStore(made, functions.front(), *program);
      emitTileStore(made, functions.front(), *program);
      note(module, *program);
    } else {
      rows = emitRowForms(made, functions.front(), *program);
    }
    SmallVector<int64_t> numbers = {rows.hasSums, rows.mayBeFlat};
    for (const GpuRowTensor &tensor : rows.tensors)
      numbers.append({tensor.tensor, tensor.hasRows, tensor.hasColumns});
    module->setAttr(rowsAttrName, builder.getDenseI64ArrayAttr(numbers));
  }

private:
  static GpuElement elementOf(const RowProduct &product) {
    Type type = pl::getElementOrSelf(product.left.getType());
    if (type.isInteger(8))
      return type.isUnsignedInteger() ? GpuElement::Uint8 : GpuElement::Int8;
    if (isa<Float8E4M3FNType>(type))
      return product.isRounded ? GpuElement::TensorE4M3FN
                               : GpuElement::Fp8E4M3FN;
    if (isa<Float8E5M2Type>(type))
      return product.isRounded ? GpuElement::TensorE5M2 : GpuElement::Fp8E5M2;
    if (type.isF32())
      return product.isRounded ? GpuElement::Tf32 : GpuElement::Fp32;
    return type.isBF16() ? GpuElement::Bf16 : GpuElement::Fp16;
  }

  static void note(ModuleOp module, const RowKernel &program) {
    const RowProduct &product = *program.product;
    BlockArgument beside = findBesideSums(program);
    module->setAttr(
        productAttrName,
        Builder(module.getContext())
            .getDenseI64ArrayAttr(
                {product.left.getArgNumber(), product.right.getArgNumber(),
                 product.isLeftTurned, product.isRightTurned,
                 static_cast<int64_t>(elementOf(product)),
                 program.computesFunctions(),
                 beside ? int64_t(beside.getArgNumber()) : -1}));
  }
};

} // namespace
