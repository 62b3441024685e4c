// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/differential/RandomCall.h"

#include "tegula/support/Array.h"
#include "test/differential/Random.h"
#include "test/differential/SpecialElements.h"

#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace tegula;
using namespace tegula::differential;

/// What memory holds that belongs to no element, and how many bytes of it are
/// before the first element and after the last, at least.
static constexpr char nothing = static_cast<char>(0xff);
static constexpr int64_t margin = 128;

static Elements allElements = Elements::Usual;

void differential::useElements(Elements elements) { allElements = elements; }

bool differential::hasSpecialElements() {
  return allElements == Elements::Special;
}

/// Multiples of `unit` up to 16 of them; integers small, or any.
static double randomElement(Random &random, DType dtype, bool isSmall,
                            double unit = quarter) {
  if (isFloat(dtype))
    return unit * static_cast<double>(random.number(-16, 16));
  if (dtype == DType::Bool)
    return static_cast<double>(random.number(0, 1));
  IntegerRange range = getIntegerRange(dtype);
  int64_t low = std::max<int64_t>(range.low, isSmall ? -20 : -(1LL << 40));
  int64_t high = std::min<uint64_t>(range.high, isSmall ? 20 : 1LL << 40);
  return static_cast<double>(random.number(low, high));
}

namespace {

/// Ways a tensor lies in memory. Those without a name are row-major.
enum Layout : int64_t {
  ColumnMajor = 0,
  Strided = 1,
  /// From here on some elements behind where memory begins.
  Shifted = 4,
  ShiftedAlone = 6,
  Gapped = 7,
  /// Some axes run backwards, or stay where they are.
  Backwards = 8,
  Repeated = 9
};

/// How most tensors of a call lie.
struct UsualLayout {
  int64_t layout, start;
};

/// Makes one tensor.
struct TensorMaker {
  Random &random;
  DType dtype;
  llvm::ArrayRef<int64_t> extents;
  std::vector<char> &memory;

  TensorView make(const UsualLayout &usual, bool isWritten);
  TensorView makeHalfBytes();
};

} // namespace

/// Half bytes: rows start with a byte, perhaps with one between them.
TensorView TensorMaker::makeHalfBytes() {
  llvm::SmallVector<int64_t> strides(extents.size());
  int64_t step = 1, gap = random.chance(20) ? 2 : 0;
  for (size_t axis = extents.size(); axis-- > 0;) {
    strides[axis] = step;
    step = llvm::alignTo<2>(step * extents[axis]) + gap;
  }
  memory.assign(step / 2 + 1, 0);
  return TensorView(memory.data(), dtype, extents, strides);
}

/// In one of the layouts, as others of the call or not. What has no elements
/// may have no address either, as in PyTorch.
TensorView TensorMaker::make(const UsualLayout &usual, bool isWritten) {
  int64_t layout = random.chance(60) ? usual.layout : random.number(0, 9);
  int64_t start = layout == ShiftedAlone ? random.number(1, 7)
                  : layout >= Shifted    ? usual.start
                                         : 0;
  if (isHalfByte(dtype))
    return makeHalfBytes();
  llvm::SmallVector<int64_t> strides(extents.size());
  int64_t step = layout == Strided ? 2 : 1;
  for (size_t position = 0; position < extents.size(); ++position) {
    size_t axis =
        layout == ColumnMajor ? position : extents.size() - 1 - position;
    strides[axis] = step;
    step *= extents[axis] + (layout == Strided || layout == Gapped ? 1 : 0);
    if (layout == Repeated && !isWritten && random.chance(40))
      strides[axis] = 0;
    if (layout == Backwards && random.chance(50)) {
      start += std::max<int64_t>(0, extents[axis] - 1) * strides[axis];
      strides[axis] = -strides[axis];
    }
  }
  int64_t size = getSize(dtype);
  memory.assign((start + step + 1) * size + 2 * margin, nothing);
  bool isNowhere = layout % 2 == 0 && llvm::is_contained(extents, 0);
  return TensorView(isNowhere ? nullptr : memory.data() + margin + start * size,
                    dtype, extents, strides);
}

/// A scalar of that type, which fits it.
static Argument makeScalar(Random &random, Random &edges, DType dtype) {
  if (dtype == DType::Index)
    return Argument(random.number(0, 4));
  double number = randomElement(random, dtype, /*isSmall=*/true);
  bool isSpecial = hasSpecialElements() && edges.chance(60);
  if (isFloat(dtype))
    return Argument(isSpecial ? specialFloat(edges, dtype) : number);
  bool isAtLimit = isSpecial && dtype != DType::Bool;
  return Argument(isAtLimit ? integerAtLimit(edges, dtype)
                            : static_cast<int64_t>(number));
}

/// Overwrites some elements by such as lie at limits of the type. The choice is
/// not of the numbers that the others are made from.
static void addLimits(Random &edges, const TensorView &view) {
  if (!hasSpecialElements() || view.dtype == DType::Bool || !edges.chance(60))
    return;
  forEachElement(view, [&](char *element) {
    if (!edges.chance(30))
      return;
    if (isFloat(view.dtype))
      return writeElement(element, view.dtype, specialFloat(edges, view.dtype));
    int64_t number = integerAtLimit(edges, view.dtype);
    if (isHalfByte(view.dtype))
      return writeElement(element, view.dtype, static_cast<double>(number));
    // The first bytes are the low ones.
    std::memcpy(element, &number, getSize(view.dtype));
  });
}

Call differential::makeCall(const Signature &signature, const Sizes &sizes,
                            uint64_t seed, double unit) {
  Random random(seed), edges(~seed);
  UsualLayout usual = {random.number(0, 7), random.number(1, 7)};
  Call call;
  for (const auto &parameter : signature.parameters) {
    DType dtype = *parameter.dtype;
    if (parameter.isScalar()) {
      call.arguments.push_back(makeScalar(random, edges, dtype));
      continue;
    }
    llvm::SmallVector<int64_t> extents;
    for (const Axis &axis : *parameter.axes)
      extents.push_back(axis.extent ? *axis.extent : sizes.at(axis.symbol));
    call.memory.emplace_back();
    TensorView view =
        TensorMaker{random, dtype, extents, call.memory.back()}.make(
            usual, parameter.isWritten());
    bool isSmall = random.chance(50);
    bool hasOdd = isFloat(dtype) && random.chance(15);
    // In half of the calls zeros are -0.0.
    bool hasSign = isFloat(dtype) && usual.start % 2 == 0;
    forEachElement(view, [&](char *element) {
      bool isOdd = hasOdd && random.chance(5);
      double number = isOdd ? oddElement(random)
                            : randomElement(random, dtype, isSmall, unit);
      writeElement(element, dtype, number == 0 && hasSign ? -0.0 : number);
    });
    addLimits(edges, view);
    call.arguments.emplace_back(view);
  }
  return call;
}

std::string differential::findWrittenOutside(const Signature &signature,
                                             Call &call) {
  auto memory = call.memory.begin();
  for (auto [parameter, argument] :
       llvm::zip(signature.parameters, call.arguments)) {
    if (!parameter.isTensor())
      continue;
    std::vector<char> &bytes = *memory++;
    // Two of them share a byte.
    if (isHalfByte(*parameter.dtype))
      continue;
    size_t size = getSize(*parameter.dtype);
    forEachElement(argument.getTensor(),
                   [&](char *element) { std::memset(element, nothing, size); });
    if (llvm::any_of(bytes, [](char byte) { return byte != nothing; }))
      return parameter.name;
  }
  return "";
}
