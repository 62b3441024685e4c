// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tegula/ir/MemoryAccess.h"
#include "tegula/ir/ops/PlSortOps.h"
#include "tegula/transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tegula {
#define GEN_PASS_DEF_MERGESORTS
#include "tegula/transforms/Passes.h.inc"
} // namespace tegula

using namespace mlir;
using namespace tegula;

/// No row is that long.
static constexpr int64_t longestRun = int64_t(1) << 40;

static std::optional<int64_t> numberOf(Value value) {
  APInt number;
  if (!value || !matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

/// The only op that writes a tensor which is made here, if it stands in the
/// same block; what else uses the tensor loads it or is `reader`.
static Operation *onlyWriterOf(Value memory, Operation *reader) {
  if (!memory.getDefiningOp<pl::CreateTensorOp>())
    return nullptr;
  Operation *writer = nullptr;
  for (Operation *user : memory.getUsers()) {
    if (user == reader || isa<pl::LoadOp>(user))
      continue;
    if (writer || !hasEffect<MemoryEffects::Write>(user, memory))
      return nullptr;
    writer = user;
  }
  bool isBefore = writer && writer->getBlock() == reader->getBlock() &&
                  writer->isBeforeInBlock(reader);
  return isBefore ? writer : nullptr;
}

static bool haveSameSizes(Value memory, Value other) {
  auto created = memory.getDefiningOp<pl::CreateTensorOp>();
  auto otherCreated = other.getDefiningOp<pl::CreateTensorOp>();
  return created && otherCreated &&
         created.getType() == otherCreated.getType() &&
         llvm::equal(created->getOperands(), otherCreated->getOperands());
}

/// The tile that a tensor made for `reader` holds; null if it holds another.
static Value tileIn(Value memory, Operation *reader) {
  auto store = dyn_cast_or_null<pl::StoreOp>(onlyWriterOf(memory, reader));
  return store && store.getTarget() == memory ? store.getTile() : Value();
}

/// The op that sorted the pairs in a tensor which is loaded as `tile`, if what
/// it sorted is still the same where `reader` stands.
static pl::SortRunsOp sorterOf(Value memory, Operation *reader) {
  auto sort = dyn_cast_or_null<pl::SortRunsOp>(onlyWriterOf(memory, reader));
  if (!sort)
    return {};
  for (Value source : {Value(sort.getSource()), Value(sort.getIndices())}) {
    Value root = rootOfView(source);
    if (!root || mayBeWrittenBetween(sort, reader, root))
      return {};
  }
  return sort;
}

/// The op that sorted the pairs that a merge reads from one of its sources.
static pl::SortRunsOp sorterBehind(Value source, pl::MergeRunsOp merge) {
  if (pl::SortRunsOp sort = sorterOf(source, merge))
    return sort;
  Value tile = tileIn(source, merge);
  auto load = tile ? tile.getDefiningOp<pl::LoadOp>() : pl::LoadOp();
  if (!load || !haveSameSizes(load.getSource(), source))
    return {};
  return sorterOf(load.getSource(), merge);
}

namespace {

/// A part of the columns of sorted rows.
struct Columns {
  pl::SortRunsOp sort;
  int64_t first, last;
};

} // namespace

/// The columns that a source of a merge is a copy of.
static std::optional<Columns> columnsBehind(Value source,
                                            pl::MergeRunsOp merge) {
  Value tile = tileIn(source, merge);
  auto window = tile ? tile.getDefiningOp<pl::WindowOp>() : pl::WindowOp();
  auto load =
      window ? window.getSource().getDefiningOp<pl::LoadOp>() : pl::LoadOp();
  if (!load)
    return std::nullopt;
  pl::SortRunsOp sort = sorterOf(load.getSource(), merge);
  ArrayRef<pl::Dim> dims = pl::getDims(load.getSource().getType());
  ArrayRef<pl::Dim> kept = pl::getDims(source.getType());
  if (!sort || kept.size() != dims.size())
    return std::nullopt;
  for (unsigned axis = 0; axis + 1 < dims.size(); ++axis)
    if (numberOf(window.getOffsets()[axis]) != 0 || dims[axis] != kept[axis] ||
        !dims[axis].isExact())
      return std::nullopt;
  std::optional<int64_t> first = numberOf(window.getOffsets().back());
  std::optional<int64_t> size = numberOf(window.getSizes().back());
  if (!first || !size || !kept.back().isExactly(*size))
    return std::nullopt;
  return Columns{sort, *first, *first + *size};
}

/// merge(sort_runs(x, r), 2 r)  ->  sort_runs(x, 4 r)
static std::optional<int64_t> runOfBlocks(pl::MergeRunsOp merge,
                                          pl::SortRunsOp &sort) {
  sort = sorterBehind(merge.getSources().front(), merge);
  std::optional<int64_t> length = numberOf(merge.getLength());
  auto run = sort ? static_cast<int64_t>(sort.getRun()) : 0;
  if (!sort || !length || *length != 2 * run || run > longestRun)
    return std::nullopt;
  return 4 * run;
}

/// Merges of all columns of sorted rows, part by part, each of which lies in
/// one run.
static std::optional<int64_t> runOfLists(pl::MergeRunsOp merge,
                                         pl::SortRunsOp &sort) {
  int64_t end = 0;
  for (Value source : merge.getSources()) {
    std::optional<Columns> columns = columnsBehind(source, merge);
    if (!columns || (sort && sort != columns->sort) || columns->first != end ||
        columns->first % 2 != 0 || columns->last % 2 != 0)
      return std::nullopt;
    sort = columns->sort;
    int64_t columnsOfRun = 2 * static_cast<int64_t>(sort.getRun());
    end = columns->last;
    if (columns->first / columnsOfRun != (end - 1) / columnsOfRun)
      return std::nullopt;
  }
  bool isAll = pl::getDims(sort.getTarget().getType()).back().isExactly(end);
  return isAll ? std::optional(std::max<int64_t>(sort.getRun(), end / 2))
               : std::nullopt;
}

/// Takes away tensors that are written and not read, and what was read for
/// them.
static void eraseUnread(func::FuncOp function) {
  bool hasChanged = true;
  while (hasChanged) {
    SmallVector<Operation *> dead;
    function.walk([&](Operation *op) {
      if (isa<pl::LoadOp, pl::WindowOp>(op) && op->use_empty())
        dead.push_back(op);
      auto created = dyn_cast<pl::CreateTensorOp>(op);
      if (!created || !llvm::all_of(op->getUsers(), [&](Operation *user) {
            return isa<pl::StoreOp, pl::SortRunsOp>(user) &&
                   hasEffect<MemoryEffects::Write>(user, created.getResult());
          }))
        return;
      dead.append(op->user_begin(), op->user_end());
      dead.push_back(op);
    });
    for (Operation *op : dead)
      op->erase();
    hasChanged = !dead.empty();
  }
}

namespace {

struct MergeSortsPass : tegula::impl::MergeSortsBase<MergeSortsPass> {
  void runOnOperation() override {
    SmallVector<pl::MergeRunsOp> merges;
    getOperation().walk([&](pl::MergeRunsOp op) { merges.push_back(op); });
    bool hasMerged = false;
    for (pl::MergeRunsOp merge : merges)
      hasMerged |= succeeded(sortInstead(merge));
    if (hasMerged)
      eraseUnread(getOperation());
    SmallVector<pl::CreateTensorOp> made;
    getOperation().walk([&](pl::CreateTensorOp op) { made.push_back(op); });
    for (pl::CreateTensorOp created : made)
      shorten(created);
  }

  LogicalResult sortInstead(pl::MergeRunsOp merge);
  void shorten(pl::CreateTensorOp created);
};

} // namespace

LogicalResult MergeSortsPass::sortInstead(pl::MergeRunsOp merge) {
  pl::SortRunsOp sort;
  std::optional<int64_t> run =
      merge.getLength() ? runOfBlocks(merge, sort) : runOfLists(merge, sort);
  if (!run)
    return failure();
  OpBuilder builder(merge);
  pl::SortRunsOp::create(builder, merge.getLoc(), *run, sort.getSource(),
                         sort.getIndices(), merge.getTarget());
  merge.erase();
  ++numMerged;
  return success();
}

/// The columns up to which a loaded tile is read; nothing if that is not known.
static std::optional<int64_t> columnsRead(pl::LoadOp load) {
  int64_t most = 0;
  for (Operation *user : load->getUsers()) {
    auto window = dyn_cast<pl::WindowOp>(user);
    if (!window || !llvm::all_of(window.getOffsets(), [](Value offset) {
          return numberOf(offset) == 0;
        }))
      return std::nullopt;
    std::optional<int64_t> size = numberOf(window.getSizes().back());
    if (!size || *size < 1)
      return std::nullopt;
    most = std::max(most, *size);
  }
  return most;
}

void MergeSortsPass::shorten(pl::CreateTensorOp created) {
  unsigned last = created.getType().getRank() - 1;
  Operation *sort = nullptr;
  SmallVector<pl::LoadOp> loads;
  int64_t most = 0;
  for (Operation *user : created->getUsers()) {
    if (auto load = dyn_cast<pl::LoadOp>(user)) {
      std::optional<int64_t> columns = columnsRead(load);
      if (!columns)
        return;
      most = std::max(most, *columns);
      loads.push_back(load);
      continue;
    }
    auto rows = dyn_cast<pl::SortRowsOp>(user);
    bool isAlongLast = !rows || rows.getAxis() == last;
    if (sort || !isa<pl::SortRowsOp, pl::SortRunsOp>(user) || !isAlongLast ||
        !hasEffect<MemoryEffects::Write>(user, created.getResult()))
      return;
    sort = user;
  }
  // Of a pair whose first half is read both are written.
  if (isa_and_nonnull<pl::SortRunsOp>(sort))
    most += most % 2;
  pl::Dims dims(created.getType().getDims());
  pl::Dim &dim = dims[last];
  if (!sort || most == 0 || (dim.hasBound() && dim.getBound() <= most))
    return;
  dim = dim.isExact() ? pl::Dim::exactly(most) : pl::Dim::atMost(most);
  OpBuilder builder(created);
  SmallVector<Value> sizes(created.getSizes());
  Value limit = arith::ConstantIndexOp::create(builder, created.getLoc(), most);
  sizes[last] = dim.isExact() ? limit
                              : builder.createOrFold<arith::MinSIOp>(
                                    created.getLoc(), sizes[last], limit);
  auto type = pl::TensorViewType::get(&getContext(), dims,
                                      created.getType().getElementType());
  Value shorter =
      pl::CreateTensorOp::create(builder, created.getLoc(), type, sizes);
  for (pl::LoadOp load : loads) {
    builder.setInsertionPoint(load);
    Value part = pl::LoadOp::create(builder, load.getLoc(), shorter);
    load.replaceAllUsesWith(part);
    load.erase();
  }
  sort->replaceUsesOfWith(created, shorter);
  created.erase();
  ++numShortened;
}
