// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles and tensors in other shapes.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tegula/frontend/emit/Emitter.h"
#include "tegula/frontend/emit/Requirements.h"
#include "tegula/ir/extents/IndexExpression.h"
#include "tegula/ir/ops/PlShapeOps.h"

using namespace tegula;
using namespace mlir;
using pl::countElements;
using pl::Dim;
using pl::getDims;

namespace {

/// The number of elements of a shape: a constant times index values.
struct Count {
  int64_t constant = 1;
  SmallVector<Value> factors;

  void multiply(Value extent) {
    llvm::APInt number;
    if (matchPattern(extent, m_ConstantInt(&number))) {
      if (llvm::MulOverflow(constant, number.getSExtValue(), constant))
        constant = std::numeric_limits<int64_t>::max();
    } else if (auto product = extent.getDefiningOp<arith::MulIOp>()) {
      multiply(product.getLhs());
      multiply(product.getRhs());
    } else {
      factors.push_back(extent);
    }
  }

  /// Takes out the factors that both have.
  void cancel(Emitter &emitter, Count &other) {
    for (size_t i = 0; i < factors.size();) {
      auto *same = llvm::find_if(other.factors, [&](Value factor) {
        return emitter.extents.isEqual(factor, factors[i]);
      });
      if (same == other.factors.end()) {
        ++i;
        continue;
      }
      other.factors.erase(same);
      factors.erase(factors.begin() + i);
    }
  }
};

/// What a reshape makes: the sizes and what is known of them.
struct Shape {
  SmallVector<Value> sizes;
  pl::Dims dims;
  /// False if only axes of extent 1 come and go.
  bool isGeneral = true;
};

/// One reshape while its shape is worked out.
class Reshaping {
public:
  Reshaping(Emitter &emitter, Location loc, Value shaped, ArrayRef<Value> sizes)
      : emitter(emitter), loc(loc), shaped(shaped),
        source(getDims(shaped.getType())), wanted(sizes) {}

  bool hasOpenSize() const { return llvm::is_contained(wanted, Value()); }
  /// Gives the size left open its value, as if bounded axes were valid to their
  /// end or as far as they are; false after an error.
  bool fillOpenSize(bool useBounds);
  ArrayRef<Value> getSizes() const { return wanted; }
  /// The shape if all extents are known; nothing after an error.
  std::optional<Shape> exact();
  /// Any shape that does more than add and remove axes of extent 1; nothing
  /// after an error.
  std::optional<Shape> reshapeElements();
  /// The shape of a partly valid tile that is given the shape of all of it;
  /// nothing if what is valid would not stay in front.
  std::optional<Shape> byBounds();

private:
  Value validOfGroup(unsigned first, unsigned end, ArrayRef<Dim> dims,
                     unsigned lead);
  std::string describeShapes();
  bool requireSameCount();
  std::optional<Shape> counted();

  Emitter &emitter;
  Location loc;
  Value shaped;
  ArrayRef<Dim> source;
  SmallVector<Value> wanted;
};

} // namespace

static bool isExact(ArrayRef<Dim> dims) {
  return llvm::all_of(dims, [](Dim dim) { return dim.isExact(); });
}

static pl::Dims dimsOf(ArrayRef<Value> sizes) {
  return llvm::map_to_vector<4>(
      sizes, [](Value size) { return pl::dimOfExtent(size); });
}

std::string Reshaping::describeShapes() {
  Type element = pl::getElementOrSelf(shaped.getType());
  MLIRContext *context = emitter.getContext();
  Type type = pl::TileType::get(context, dimsOf(wanted), element);
  if (isa<pl::TensorViewType>(shaped.getType()))
    type = pl::TensorViewType::get(context, dimsOf(wanted), element);
  return describe(shaped.getType()) + " into " + describe(type);
}

/// The size left open is what the others leave of the elements: exactly if
/// that can be seen, else rounded down, and the call checks it.
bool Reshaping::fillOpenSize(bool useBounds) {
  auto *open = llvm::find(wanted, Value());
  if (open == wanted.end())
    return true;
  Count have, given;
  for (unsigned axis = 0; axis < source.size(); ++axis)
    have.multiply(useBounds ? emitter.scalars.index(source[axis].getBound())
                            : emitter.extents.settled(loc, shaped, axis));
  for (Value size : wanted)
    if (size)
      given.multiply(size);
  have.cancel(emitter, given);
  if (given.factors.empty() &&
      (given.constant == 0 ||
       (have.constant % given.constant != 0 && have.factors.empty()))) {
    emitter.fail(loc, "cannot divide " + llvm::Twine(have.constant) +
                          " elements into this shape");
    return false;
  }
  auto multiply = [&](const Count &count, int64_t constant) {
    Value product = emitter.scalars.index(constant);
    for (Value factor : count.factors)
      product =
          emitter.scalars.indexBinary(loc, ast::BinaryOp::Mul, product, factor);
    return product;
  };
  if (given.constant != 0 && have.constant % given.constant == 0) {
    have.constant /= given.constant;
    given.constant = 1;
  }
  Value rest = multiply(have, have.constant);
  if (given.constant != 1 || !given.factors.empty()) {
    Value divisor = emitter.scalars.indexExtreme(
        loc, /*isMax=*/true, multiply(given, given.constant),
        emitter.scalars.index(1));
    rest = emitter.scalars.indexBinary(loc, ast::BinaryOp::FloorDiv, rest,
                                       divisor);
  }
  *open = rest;
  return true;
}

/// True if an axis and a size it is given in another shape are the same; then
/// the axis says what is known.
bool ReshapeEmitter::keepsAxis(Location loc, Value tile, unsigned axis,
                               Value size) {
  Dim own = getDims(tile.getType())[axis], wanted = pl::dimOfExtent(size);
  if (own.isBounded() && wanted.isExact())
    return wanted.getBound() == own.getBound();
  if (own.isExact() && wanted.isExact())
    return own == wanted;
  return emitter.extents.isEqual(emitter.extents.settled(loc, tile, axis),
                                 size) ||
         emitter.extents.isEqual(emitter.extents.of(loc, tile, axis), size);
}

/// The dims in a shape that only adds and removes axes of extent 1; nothing if
/// it does more.
std::optional<pl::Dims> ReshapeEmitter::dimsWithUnits(Location loc, Value tile,
                                                      ArrayRef<Value> sizes) {
  ArrayRef<Dim> source = getDims(tile.getType());
  SmallVector<unsigned> kept;
  for (unsigned axis = 0; axis < source.size(); ++axis)
    if (!source[axis].isExactly(1))
      kept.push_back(axis);
  pl::Dims dims;
  unsigned next = 0;
  for (Value size : sizes) {
    if (pl::dimOfExtent(size).isExactly(1)) {
      dims.push_back(Dim::exactly(1));
      continue;
    }
    if (next == kept.size() || !keepsAxis(loc, tile, kept[next], size))
      return std::nullopt;
    dims.push_back(source[kept[next++]]);
  }
  if (next != kept.size())
    return std::nullopt;
  return dims;
}

/// The first axis that is longer than 1; 0 if there is none.
static unsigned findLead(ArrayRef<Dim> dims) {
  const Dim *lead =
      llvm::find_if(dims, [](Dim dim) { return dim.getBound() > 1; });
  return lead == dims.end() ? 0 : lead - dims.begin();
}

/// How much of the first axis longer than 1 is valid if the axes of `source`
/// from `first` to before `end` take the shape of `dims`, and `lead` is that
/// axis of those; null if what is valid would not stay in front.
Value Reshaping::validOfGroup(unsigned first, unsigned end, ArrayRef<Dim> dims,
                              unsigned lead) {
  ArrayRef<Dim> group = source.slice(first, end - first);
  unsigned from = findLead(group);
  for (Dim dim : group.drop_front(from + 1))
    if (!dim.isExact() && dim.getBound() > 1)
      return {};
  int64_t inner = countElements(group.drop_front(from + 1));
  int64_t wantedInner = countElements(dims.drop_front(lead + 1));
  if (inner % wantedInner != 0)
    return {};
  Value valid = emitter.scalars.index(inner / wantedInner);
  for (unsigned axis : llvm::seq<unsigned>(group.size()))
    if (axis == from || !group[axis].isExact())
      valid = emitter.scalars.indexBinary(
          loc, ast::BinaryOp::Mul,
          emitter.extents.of(loc, shaped, first + axis), valid);
  return valid;
}

/// A partly valid tile given the shape of all of it: axes are taken in groups
/// of equal size, and in each group only the first longer than 1 may be partly
/// valid, so that what is valid stays in front. An axis of at most 1 has all of
/// it or nothing.
///
/// Example: [upto 8, 4, 16] as [32, 16] is [upto 32, 16], four rows for each.
std::optional<Shape> Reshaping::byBounds() {
  pl::Dims dims = dimsOf(wanted);
  bool isBounded = llvm::all_of(source, [](Dim dim) { return dim.hasBound(); });
  if (!isBounded || !isExact(dims) || isExact(source) ||
      countElements(source) != countElements(dims) || countElements(dims) == 0)
    return std::nullopt;
  Shape shape{SmallVector<Value>(wanted), dims};
  size_t from = 0, to = 0;
  while (from < source.size() || to < dims.size()) {
    size_t firstFrom = from, firstTo = to;
    int64_t have = from < source.size() ? source[from++].getBound() : 1;
    int64_t want = to < dims.size() ? dims[to++].getBound() : 1;
    while (have != want)
      if (have < want)
        have *= source[from++].getBound();
      else
        want *= dims[to++].getBound();
    // Axes of 1 at the end belong to what is before them.
    if (to == dims.size())
      from = source.size();
    if (isExact(source.slice(firstFrom, from - firstFrom)))
      continue;
    if (firstTo == to)
      return std::nullopt;
    auto group = ArrayRef<Dim>(dims).slice(firstTo, to - firstTo);
    unsigned lead = findLead(group);
    Value valid = validOfGroup(firstFrom, from, group, lead);
    if (!valid)
      return std::nullopt;
    shape.dims[firstTo + lead] = Dim::atMost(group[lead].getBound());
    shape.sizes[firstTo + lead] = valid;
  }
  return shape;
}

/// What the call checks unless it can be seen now; false, after an error, if no
/// sizes make it right.
bool Reshaping::requireSameCount() {
  auto product = [&](llvm::function_ref<Value(unsigned)> sizeOf,
                     unsigned rank) {
    Value count = emitter.scalars.index(1);
    for (unsigned axis = 0; axis < rank; ++axis)
      count = emitter.scalars.indexBinary(loc, ast::BinaryOp::Mul, count,
                                          sizeOf(axis));
    return count;
  };
  Value have = product(
      [&](unsigned axis) { return emitter.extents.settled(loc, shaped, axis); },
      source.size());
  Value want =
      product([&](unsigned axis) { return wanted[axis]; }, wanted.size());
  std::string left = pl::formatIndex(have), right = pl::formatIndex(want);
  // Sizes that the program computes are checked where they are used.
  if (left.empty() || right.empty())
    return true;
  Value condition = emitter.builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::eq, have, want);
  return require(emitter, loc,
                 {condition, left + " == " + right, pl::derivedOrigin});
}

/// Any other shape: the elements are counted, when compiling as far as that
/// goes.
std::optional<Shape> Reshaping::counted() {
  Shape shape{wanted, dimsOf(wanted)};
  Count have, want;
  for (unsigned axis = 0; axis < source.size(); ++axis)
    have.multiply(emitter.extents.settled(loc, shaped, axis));
  for (Value size : wanted)
    want.multiply(size);
  have.cancel(emitter, want);
  bool isKnown = have.factors.empty() && want.factors.empty();
  if (!isKnown && !requireSameCount())
    return std::nullopt;
  if (isKnown && have.constant != want.constant) {
    emitter.fail(loc, "cannot reshape " + describeShapes() + ": " +
                          llvm::Twine(have.constant) + " elements and " +
                          llvm::Twine(want.constant) +
                          (isExact(source) ? "" : " for each of the others"));
    return std::nullopt;
  }
  return shape;
}

std::optional<Shape> Reshaping::exact() {
  pl::Dims dims = dimsOf(wanted);
  if (countElements(source) == countElements(dims))
    return Shape{wanted, dims, /*isGeneral=*/false};
  emitter.fail(loc, "cannot reshape " + describeShapes() + ": " +
                        llvm::Twine(countElements(source)) + " elements and " +
                        llvm::Twine(countElements(dims)));
  return std::nullopt;
}

std::optional<Shape> Reshaping::reshapeElements() {
  std::optional<Shape> shape = byBounds();
  return shape ? shape : counted();
}

/// Finds the sizes of a tile or tensor in another shape.
static std::optional<Shape> findShape(
    Emitter &emitter, Location loc, Value shaped, ArrayRef<Value> sizes,
    llvm::function_ref<std::optional<pl::Dims>(ArrayRef<Value>)> findUnits) {
  Reshaping partial(emitter, loc, shaped, sizes), whole = partial;
  ArrayRef<Dim> source = getDims(shaped.getType());
  bool usesBounds = partial.hasOpenSize() && llvm::all_of(source, [](Dim dim) {
                      return dim.hasBound();
                    });
  if (usesBounds && !whole.fillOpenSize(/*useBounds=*/true))
    return std::nullopt;
  usesBounds = usesBounds && (findUnits(whole.getSizes()) || whole.byBounds());
  if (!usesBounds && !partial.fillOpenSize(/*useBounds=*/false))
    return std::nullopt;
  Reshaping &reshaping = usesBounds ? whole : partial;
  if (isExact(source) && isExact(dimsOf(reshaping.getSizes())))
    return reshaping.exact();
  std::optional<pl::Dims> units = findUnits(reshaping.getSizes());
  if (!units)
    return reshaping.reshapeElements();
  // The axes that stay have the extents they had.
  Shape shape{{}, *units, /*isGeneral=*/false};
  unsigned next = 0;
  for (Dim dim : *units) {
    if (dim.isExactly(1)) {
      shape.sizes.push_back(emitter.scalars.index(1));
      continue;
    }
    while (source[next].isExactly(1))
      ++next;
    shape.sizes.push_back(emitter.extents.of(loc, shaped, next++));
  }
  return shape;
}

/// A tensor that `shaped` shows in another shape and that has this one: a
/// reshape there and back is the tensor itself. Null if there is none.
static Value findOriginal(Emitter &emitter, Location loc, Value shaped,
                          const Shape &shape) {
  for (auto view = shaped.getDefiningOp<pl::ViewOp>(); view;
       view = view.getSource().getDefiningOp<pl::ViewOp>()) {
    Value source = view.getSource();
    ArrayRef<Dim> dims = getDims(source.getType());
    auto isSameAxis = [&](size_t axis) {
      return dims[axis] == shape.dims[axis] &&
             emitter.extents.isEqual(emitter.extents.settled(loc, source, axis),
                                     shape.sizes[axis]);
    };
    if (dims.size() == shape.dims.size() &&
        llvm::all_of(llvm::seq(dims.size()), isSameAxis))
      return source;
  }
  return {};
}

Object ReshapeEmitter::build(Location loc, Value shaped,
                             ArrayRef<Value> sizes) {
  std::optional<Shape> shape =
      findShape(emitter, loc, shaped, sizes, [&](ArrayRef<Value> filled) {
        return dimsWithUnits(loc, shaped, filled);
      });
  if (!shape)
    return Object::poison();
  Type element = pl::getElementOrSelf(shaped.getType());
  // A size that is only known to be exact by its axis is a constant.
  for (auto [axis, dim] : llvm::enumerate(shape->dims))
    if (dim.isExact())
      shape->sizes[axis] = emitter.scalars.index(dim.getBound());
  bool isSame = !shape->isGeneral &&
                ArrayRef<Dim>(shape->dims) == getDims(shaped.getType());
  if (isSame)
    return Object(shaped);
  if (isa<pl::TensorViewType>(shaped.getType())) {
    if (Value original = findOriginal(emitter, loc, shaped, *shape))
      return Object(original);
    // What nobody writes may as well be a copy.
    auto type =
        pl::TensorViewType::get(builder.getContext(), shape->dims, element);
    return Object(pl::ViewOp::create(builder, loc, type, shaped, shape->sizes,
                                     /*aliasing=*/!uses.isReadOnly(shaped))
                      .getResult());
  }
  auto type = pl::TileType::get(builder.getContext(), shape->dims, element);
  if (shape->isGeneral)
    return Object(
        pl::ReshapeElementsOp::create(builder, loc, type, shaped, shape->sizes)
            .getResult());
  return Object(pl::ReshapeOp::create(builder, loc, type, shaped, shape->sizes)
                    .getResult());
}
