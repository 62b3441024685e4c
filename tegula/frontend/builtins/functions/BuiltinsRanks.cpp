// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtins of programs over ranks: who runs them, windows, peers, signals.
// Transfers and collectives are made of these in prelude.py.
#include "tegula/frontend/builtins/GatherScatter.h"
#include "tegula/frontend/constants/Dtypes.h"
#include "tegula/ir/ops/PlRankOps.h"
#include "tegula/ir/ops/PlShapeOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using llvm::StringRef;
using mlir::SmallVector;
using mlir::Value;

Object tegula::buildRank(const RankCall &call) {
  return Object(pl::RankOp::create(call.emitter.builder, call.loc,
                                   call.emitter.builder.getIndexType())
                    .getResult());
}

Object tegula::buildRankCount(const RankCountCall &call) {
  return Object(pl::RankCountOp::create(call.emitter.builder, call.loc,
                                        call.emitter.builder.getIndexType())
                    .getResult());
}

Object tegula::buildRankContext(const RankContextCall &) {
  return Object::none();
}

/// The bytes of so many elements.
static Object bytesOf(const BuiltinCall &call, llvm::ArrayRef<Object> shape,
                      mlir::Type dtype) {
  Emitter &emitter = call.emitter;
  Object bits =
      Object::integer(dtype.isIndex() ? 64 : dtype.getIntOrFloatBitWidth());
  if (pl::isBool(dtype))
    bits = Object::integer(8);
  Object total = bits;
  for (const Object &size : shape) {
    total = emitter.operators.binary(call.loc, ast::BinaryOp::Mul, size, total);
    if (total.isPoison())
      return total;
  }
  total = emitter.operators.binary(call.loc, ast::BinaryOp::Add, total,
                                   Object::integer(7));
  return emitter.operators.binary(call.loc, ast::BinaryOp::FloorDiv, total,
                                  Object::integer(8));
}

/// alloc_window_buffer(bytes), alloc_window_buffer(shape, dtype)
Object tegula::buildAllocWindow(const AllocWindowCall &call) {
  Emitter &emitter = call.emitter;
  Object bytes = call.size();
  const std::vector<Object> *shape = bytes.asTuple();
  if (shape && !call.hasDtype())
    return call.size().fail("a window of a shape needs 'dtype'");
  if (!shape && call.hasDtype())
    return call.size().fail(
        "'dtype' goes with a shape; a single number counts bytes");
  if (shape)
    bytes = bytesOf(call, *shape, call.dtype());
  if (bytes.isPoison())
    return bytes;
  Value number = emitter.scalars.toIndex(call.size().loc(), bytes,
                                         "the bytes of a window");
  if (!number)
    return Object::poison();
  auto type = pl::TensorViewType::get(
      emitter.getContext(), {pl::dimOfExtent(number)},
      emitter.builder.getIntegerType(8, /*isSigned=*/false));
  return Object(
      pl::AllocWindowOp::create(emitter.builder, call.loc, type, number)
          .getResult());
}

/// window(buffer, shape, dtype)
Object tegula::buildWindow(const WindowCall &call) {
  Emitter &emitter = call.emitter;
  Value buffer = call.buffer()->asTensor();
  bool isBuffer = buffer && pl::getDims(buffer.getType()).size() == 1 &&
                  pl::getElementOrSelf(buffer.getType()).isUnsignedInteger(8);
  if (!isBuffer)
    return call.buffer().fail("'window' takes what alloc_window_buffer gave, "
                              "got " +
                              describe(call.buffer()));
  mlir::Type element = call.dtype();
  if (element.isIndex())
    element = emitter.builder.getI64Type();
  pl::Dims dims;
  for (Value size : call.shape())
    dims.push_back(pl::dimOfExtent(size));
  auto type = pl::TensorViewType::get(emitter.getContext(), dims, element);
  return Object(pl::RetypeOp::create(emitter.builder, call.loc, type, buffer,
                                     call.shape())
                    .getResult());
}

/// The signal and its index; nothing after a mistake.
static std::optional<SmallVector<Value>>
signalIndices(const BuiltinCall &call, const BuiltinArgument &signal,
              const BuiltinArgument &offsets) {
  Value tensor = signal->asTensor();
  if (!tensor ||
      !pl::getElementOrSelf(tensor.getType()).isSignlessInteger(32)) {
    signal.fail("a signal is an INT32 of a window, got " + describe(signal));
    return std::nullopt;
  }
  return offsets.indices(pl::getDims(tensor.getType()).size());
}

/// The word that an argument of an enum is; `otherwise` if it is left out, and
/// empty after a mistake.
static StringRef wordOf(const BuiltinArgument &given, StringRef prefix,
                        StringRef otherwise) {
  if (!given.isGiven())
    return otherwise;
  const std::string *path = given->asLanguage();
  StringRef word = path ? StringRef(*path) : "";
  word.consume_front("distributed.");
  if (word.consume_front(prefix))
    return word;
  given.fail("expected one of pld." + prefix.drop_back() + ", got " +
             describe(given));
  return "";
}

/// notify(target, peer, offsets, value, op)
Object tegula::buildNotify(const NotifyCall &call) {
  std::optional<SmallVector<Value>> position =
      signalIndices(call, call.target(), call.offsets());
  StringRef word = wordOf(call.op(), "NotifyOp.", "AtomicAdd");
  if (!position || word.empty())
    return Object::poison();
  std::optional<pl::NotifyKind> kind =
      llvm::StringSwitch<std::optional<pl::NotifyKind>>(word)
          .Case("AtomicAdd", pl::NotifyKind::Add)
          .Case("Set", pl::NotifyKind::Set)
          .Default(std::nullopt);
  if (!kind)
    return call.op().fail("pld.NotifyOp has AtomicAdd and Set, not '" + word +
                          "'");
  pl::NotifyOp::create(call.emitter.builder, call.loc, *kind,
                       call.target()->asTensor(), *position, call.peer(),
                       call.value());
  return Object::none();
}

/// wait(signal, offsets, expected, cmp)
template <typename Call>
static Object buildWaitOp(const Call &call, bool isDeferred) {
  std::optional<SmallVector<Value>> position =
      signalIndices(call, call.signal(), call.offsets());
  StringRef word = wordOf(call.cmp(), "WaitCmp.", "Ge");
  if (!position || word.empty())
    return Object::poison();
  std::optional<pl::WaitKind> kind =
      llvm::StringSwitch<std::optional<pl::WaitKind>>(word)
          .Case("Eq", pl::WaitKind::Equal)
          .Case("Ge", pl::WaitKind::AtLeast)
          .Default(std::nullopt);
  if (!kind)
    return call.cmp().fail("pld.WaitCmp has Eq and Ge, not '" + word + "'");
  pl::WaitOp::create(call.emitter.builder, call.loc, *kind, isDeferred,
                     call.signal()->asTensor(), *position, call.expected());
  return Object::none();
}

Object tegula::buildWait(const WaitCall &call) {
  return buildWaitOp(call, /*isDeferred=*/false);
}

Object tegula::buildDeferWait(const DeferWaitCall &call) {
  return buildWaitOp(call, /*isDeferred=*/true);
}

/// peer(window, rank, use)
Object tegula::buildPeer(const PeerCall &call) {
  if (!llvm::isa<pl::TensorViewType>(call.window().getType()))
    return call.fail("a rank's window is a tensor, got a tile");
  const auto *word =
      call.use().isGiven() ? call.use()->as<StringObject>() : nullptr;
  std::optional<pl::PeerUse> use = pl::PeerUse::Read;
  if (call.use().isGiven())
    use = pl::symbolizePeerUse(word ? word->value : "");
  if (!use)
    return call.use().fail("a peer is used to \"read\", \"write\" or "
                           "\"update\", got " +
                           describe(call.use()));
  return Object(pl::PeerOp::create(call.emitter.builder, call.loc, *use,
                                   call.window(), call.rank())
                    .getResult());
}

/// _part(x, tile, offsets): axes that the tile does not have are the first ones
Object tegula::buildPart(const PartCall &call) {
  Emitter &emitter = call.emitter;
  unsigned rank = pl::getDims(call.x().getType()).size();
  unsigned tileRank = pl::getDims(call.tile().getType()).size();
  if (tileRank > rank)
    return call.fail("cannot store " + describe(call.tile().getType()) +
                     " in " + describe(call.x().getType()));
  std::optional<SmallVector<Value>> offsets = call.offsets().indices(rank);
  if (!offsets)
    return Object::poison();
  SmallVector<Value> sizes(rank - tileRank, emitter.scalars.index(1));
  llvm::append_range(sizes, emitter.extents.allOf(call.loc, call.tile()));
  auto drop = llvm::to_vector(llvm::seq<int64_t>(0, rank - tileRank));
  return Object(
      emitter.memory.window(call.loc, call.x(), *offsets, sizes, drop));
}

/// _peer_use(atomic): a sum needs what is there
Object tegula::buildPeerUse(const PeerUseCall &call) {
  std::optional<bool> adds = isAtomicAdd(call.atomic());
  if (!adds)
    return Object::poison();
  return Object(StringObject{*adds ? "update" : "write"});
}

/// The pl.peer that a view shows memory of; null if none, or one of several, is
/// known here.
static pl::PeerOp peerOf(Value view) {
  while (mlir::Operation *op = view.getDefiningOp()) {
    if (auto peer = llvm::dyn_cast<pl::PeerOp>(op))
      return peer;
    if (!llvm::isa<pl::SliceOp, pl::ViewOp, pl::WithExtentsOp>(op))
      return {};
    view = op->getOperand(0);
  }
  return {};
}

Object tegula::buildPeerEnd(const PeerEndCall &call) {
  pl::PeerOp peer = peerOf(call.view());
  if (!peer || peer.getUse() == pl::PeerUse::Read)
    return call.fail("'" + call.name +
                     "' takes what pld.peer gave to \"write\" or \"update\" "
                     "in this function");
  pl::PeerEndOp::create(call.emitter.builder, call.loc, peer);
  return Object::none();
}

/// meet(purpose, numbers)
Object tegula::buildMeet(const MeetCall &call) {
  const auto *purpose = call.purpose()->as<StringObject>();
  if (!purpose)
    return call.purpose().fail("the purpose of a barrier is a text, got " +
                               describe(call.purpose()));
  SmallVector<Value> numbers;
  if (call.numbers().isGiven()) {
    const std::vector<Object> *list = call.numbers()->asTuple();
    for (const Object &entry :
         list ? *list : std::vector<Object>{call.numbers()}) {
      numbers.push_back(call.emitter.scalars.toIndex(
          call.numbers().loc(), entry, "what ranks agree on"));
      if (!numbers.back())
        return Object::poison();
    }
  }
  pl::MeetOp::create(call.emitter.builder, call.loc, purpose->value, numbers);
  return Object::none();
}

/// _meet(purpose, number, window, kind, mode)
Object tegula::buildCollective(const CollectiveCall &call) {
  std::string purpose;
  for (const BuiltinArgument &word : {call.purpose(), call.kind(), call.mode()})
    if (const auto *text = word.isGiven() ? word->as<StringObject>() : nullptr)
      purpose += (purpose.empty() ? "" : " ") + text->value;
  if (Value window =
          call.window().isGiven() ? call.window()->asTensor() : Value())
    purpose += " " + dtypeName(pl::getElementOrSelf(window.getType()));
  SmallVector<Value> numbers;
  if (call.number().isGiven()) {
    Value number = call.emitter.scalars.toIndex(
        call.number().loc(), call.number(), "what ranks agree on");
    if (!number)
      return Object::poison();
    numbers.push_back(number);
  }
  pl::MeetOp::create(call.emitter.builder, call.loc, purpose, numbers);
  return Object::none();
}

/// _reduce_name(op)
Object tegula::buildReduceName(const ReduceNameCall &call) {
  StringRef word = wordOf(call.op(), "ReduceOp.", "Sum");
  if (word.empty())
    return Object::poison();
  if (word != "Sum" && word != "Max" && word != "Min" && word != "Prod")
    return call.op().fail("pld.ReduceOp has Sum, Max, Min and Prod, not '" +
                          word + "'");
  return Object(StringObject{word.lower()});
}

/// _reduced(lhs, rhs, op)
Object tegula::buildReduced(const ReducedCall &call) {
  const auto *op = call.op()->as<StringObject>();
  assert(op && "the prelude has asked what it is called");
  StringRef mnemonic = llvm::StringSwitch<StringRef>(op->value)
                           .Case("sum", "add")
                           .Case("max", "maximum")
                           .Case("min", "minimum")
                           .Default("mul");
  return call.emitter.elementwise.build(call.loc, mnemonic,
                                        {call.lhs(), call.rhs()});
}
