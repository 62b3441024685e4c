// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/programs/Workload.h"

#include "tegula/sim/cost/ArrayCycles.h"
#include "tegula/sim/programs/ChooseTile.h"
#include "tegula/sim/programs/RowPass.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::sim;

static TegulaTraceFormula makeFormula(const char *name, int32_t ops,
                                      int32_t specials) {
  TegulaTraceFormula formula{};
  formula.name = name;
  formula.ops = ops;
  formula.specials = specials;
  return formula;
}

namespace {

/// Builds the kernels of one workload.
class WorkloadBuilder {
public:
  explicit WorkloadBuilder(const Machine &machine)
      : machine(machine), lanes(std::max<int64_t>(machine.arrayColumns, 16)) {}

  Error build(llvm::StringRef name);
  Workload take() { return std::move(workload); }

private:
  Error addGemm(const GemmShape &shape, const GemmVectorWork &work = {});
  Error addConvertedGemm(int64_t m, int64_t n, int64_t k);
  Error addConvolution(int64_t batch, int64_t height, int64_t width,
                       int64_t channels, int64_t outputs, int64_t kernel,
                       int64_t stride, int64_t padding);
  void addPass(int64_t rows, int64_t columns, bool writes,
               const TegulaTraceFormula &formula);
  Error addSoftmax(int64_t rows, int64_t columns);
  Error addLayerNorm(int64_t rows, int64_t columns);
  Error addAttention(int64_t heads, int64_t length, int64_t size);
  Error addEncoderBlock(int64_t heads, int64_t length);
  Error addResnet18();

  int64_t pad(int64_t channels) const {
    return ceilDiv(channels, lanes) * lanes;
  }

  const Machine &machine;
  int64_t lanes;
  Workload workload;
};

} // namespace

Error WorkloadBuilder::addGemm(const GemmShape &shape,
                               const GemmVectorWork &work) {
  Expected<GemmTile> tile = chooseGemmTile(machine, shape, work);
  if (!tile)
    return tile.takeError();
  workload.push_back(
      std::make_unique<Gemm>(shape, *tile, work, getAccSpace(machine)));
  return Error::success();
}

Error WorkloadBuilder::addConvertedGemm(int64_t m, int64_t n, int64_t k) {
  GemmShape shape{m, n, k};
  shape.elementBytes = 2;
  GemmVectorWork work;
  work.onOperands = makeFormula("convert", 5, 0);
  work.isStaged = true;
  TilePolicy policy;
  policy.dividesExtents = true;
  policy.wholeDepth = 2304;
  policy.leastDepth = 2;
  policy.cutFactor = 1.05;
  policy.outputs = 1;
  Expected<GemmTile> tile =
      chooseGemmTile(machine, shape, work, /*numSimulated=*/1, policy);
  if (!tile)
    return tile.takeError();
  workload.push_back(
      std::make_unique<Gemm>(shape, *tile, work, getAccSpace(machine)));
  return Error::success();
}

Error WorkloadBuilder::addConvolution(int64_t batch, int64_t height,
                                      int64_t width, int64_t channels,
                                      int64_t outputs, int64_t kernel,
                                      int64_t stride, int64_t padding) {
  if (stride < 1 || height + 2 * padding < kernel ||
      width + 2 * padding < kernel)
    return makeError("a window of {0} x {0} does not fit an image of {1} x {2}",
                     kernel, height, width);
  GemmShape shape{};
  int64_t outHeight = (height + 2 * padding - kernel) / stride + 1;
  int64_t outWidth = (width + 2 * padding - kernel) / stride + 1;
  shape.m = batch * outHeight * outWidth;
  shape.n = pad(outputs);
  shape.k = pad(channels);
  shape.batch = 1;
  shape.taps = kernel * kernel;
  shape.leftRows = stride * stride;
  return addGemm(shape);
}

void WorkloadBuilder::addPass(int64_t rows, int64_t columns, bool writes,
                              const TegulaTraceFormula &formula) {
  RowPassShape shape{};
  shape.rows = rows;
  shape.columns = columns;
  shape.writes = writes;
  shape.formula = formula;
  // A thirty-second of the scratchpad at once, but eight rows at least.
  int64_t rowBytes = columns * shape.elementBytes;
  int64_t fitting = machine.scratchpadBytesPerCore / 32 / rowBytes;
  shape.tileRows = std::min(rows, std::max<int64_t>(8, fitting / 8 * 8));
  workload.push_back(std::make_unique<RowPass>(shape));
}

Error WorkloadBuilder::addSoftmax(int64_t rows, int64_t columns) {
  addPass(rows, columns, /*writes=*/false, makeFormula("row maximum", 1, 0));
  addPass(rows, columns, /*writes=*/false, makeFormula("exp and sum", 2, 1));
  addPass(rows, columns, /*writes=*/true, makeFormula("divide", 2, 1));
  return Error::success();
}

Error WorkloadBuilder::addLayerNorm(int64_t rows, int64_t columns) {
  addPass(rows, columns, /*writes=*/false, makeFormula("mean", 1, 0));
  addPass(rows, columns, /*writes=*/false, makeFormula("variance", 3, 0));
  addPass(rows, columns, /*writes=*/true, makeFormula("normalise", 2, 0));
  addPass(rows, columns, /*writes=*/true, makeFormula("scale and shift", 2, 0));
  return Error::success();
}

Error WorkloadBuilder::addAttention(int64_t heads, int64_t length,
                                    int64_t size) {
  GemmVectorWork rowMaximum;
  rowMaximum.onOutput = makeFormula("row maximum", 1, 0);
  GemmShape scores{length, length, size, heads};
  if (Error error = addGemm(scores, rowMaximum))
    return error;
  addPass(heads * length, length, /*writes=*/false,
          makeFormula("exp and sum", 2, 1));
  GemmVectorWork divide;
  divide.onLeft = makeFormula("divide", 2, 1);
  return addGemm({length, size, length, heads}, divide);
}

Error WorkloadBuilder::addEncoderBlock(int64_t heads, int64_t length) {
  int64_t hidden = heads * 64;
  for (int projection = 0; projection < 4; ++projection)
    if (Error error = addGemm({length, hidden, hidden}))
      return error;
  if (Error error = addAttention(heads, length, 64))
    return error;
  if (Error error = addGemm({length, 4 * hidden, hidden}))
    return error;
  if (Error error = addGemm({length, hidden, 4 * hidden}))
    return error;
  if (Error error = addLayerNorm(length, hidden))
    return error;
  return addLayerNorm(length, hidden);
}

Error WorkloadBuilder::addResnet18() {
  if (Error error = addConvolution(1, 224, 224, 3, 64, 7, 2, 3))
    return error;
  addPass(112 * 112, lanes, /*writes=*/true, makeFormula("max pool", 9, 0));
  int64_t before = 64;
  for (int64_t channels : {64, 128, 256, 512}) {
    int64_t side = 56 * 64 / channels;
    int64_t stride = channels == 64 ? 1 : 2;
    Error errors[] = {
        addConvolution(1, side * stride, side * stride, before, channels, 3,
                       stride, 1),
        addConvolution(1, side, side, channels, channels, 3, 1, 1),
        stride == 2
            ? addConvolution(1, side * 2, side * 2, before, channels, 1, 2, 0)
            : Error::success(),
        addConvolution(1, side, side, channels, channels, 3, 1, 1),
        addConvolution(1, side, side, channels, channels, 3, 1, 1)};
    Error all = Error::success();
    for (Error &error : errors)
      all = llvm::joinErrors(std::move(all), std::move(error));
    if (all)
      return all;
    before = channels;
  }
  return addGemm({1, 1000, 512});
}

Error WorkloadBuilder::build(llvm::StringRef name) {
  if (name == "resnet18")
    return addResnet18();
  if (name == "bert_base")
    return addEncoderBlock(12, 512);
  auto [kind, text] = name.split('_');
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, 'x');
  llvm::SmallVector<int64_t> sizes(words.size());
  bool areNumeric = true;
  for (size_t axis = 0; axis < words.size(); ++axis)
    areNumeric &=
        !words[axis].getAsInteger(10, sizes[axis]) && sizes[axis] >= 0;
  if (areNumeric && kind == "gemm" && sizes.size() == 3)
    return addGemm({sizes[0], sizes[1], sizes[2]});
  if (areNumeric && kind == "gemmfp16" && sizes.size() == 3)
    return addConvertedGemm(sizes[0], sizes[1], sizes[2]);
  if (areNumeric && kind == "conv" && sizes.size() == 8)
    return addConvolution(sizes[0], sizes[1], sizes[2], sizes[3], sizes[4],
                          sizes[5], sizes[6], sizes[7]);
  if (areNumeric && kind == "softmax" && sizes.size() == 2)
    return addSoftmax(sizes[0], sizes[1]);
  if (areNumeric && kind == "layernorm" && sizes.size() == 2)
    return addLayerNorm(sizes[0], sizes[1]);
  if (areNumeric && kind == "attention" && sizes.size() == 3)
    return addAttention(sizes[0], sizes[1], sizes[2]);
  return makeError("there is no workload '{0}'", name);
}

Expected<Workload> sim::makeWorkload(llvm::StringRef name,
                                     const Machine &machine) {
  WorkloadBuilder builder(machine);
  if (Error error = builder.build(name))
    return error;
  return builder.take();
}

llvm::ArrayRef<WorkloadKind> sim::listWorkloadKinds() {
  static const WorkloadKind kinds[] = {
      {"gemm", {"M", "N", "K"}},
      {"gemmfp16", {"M", "N", "K"}},
      // Batch, image, channels in and out, side of the window, stride.
      {"conv", {"B", "H", "W", "C", "K", "R", "S"}},
      {"softmax", {"M", "N"}},
      {"layernorm", {"M", "N"}},
      {"attention", {"H", "L", "D"}},
      {"resnet18", {}},
      {"bert_base", {}}};
  return kinds;
}

Expected<Workload> sim::makeWorkload(const WorkloadKind &kind,
                                     llvm::ArrayRef<int64_t> extents,
                                     const Machine &machine) {
  llvm::SmallVector<int64_t> sizes(extents);
  if (kind.name == "conv")
    sizes.push_back(extents[5] / 2);
  std::string name = kind.name.str();
  double volume = 1;
  for (auto [axis, extent] : llvm::enumerate(sizes)) {
    name += (axis == 0 ? "_" : "x") + llvm::itostr(extent);
    volume *= double(std::max<int64_t>(1, extent));
  }
  // Addresses, and bytes of all that is moved, are 64 bits.
  if (volume > 1e17)
    return makeError("{0} is too large to simulate", name);
  return makeWorkload(name, machine);
}

std::vector<const TegulaTraceKernel *>
sim::getKernels(const Workload &workload) {
  std::vector<const TegulaTraceKernel *> kernels;
  for (const std::unique_ptr<Program> &program : workload)
    kernels.push_back(&program->getKernel());
  return kernels;
}
