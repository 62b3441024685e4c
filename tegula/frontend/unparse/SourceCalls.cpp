// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that a function of the language says as they are.
#include "tegula/frontend/unparse/CallText.h"
#include "tegula/ir/ops/PlShapeOps.h"
#include "tegula/ir/ops/PlSortOps.h"

using namespace tegula;
using namespace mlir;

void CallText::addWord(StringRef name, StringRef word) {
  text += StringRef(text).ends_with("(") ? "" : ", ";
  text += name.empty() ? "" : (name + "=").str();
  text += word;
}

void CallText::add(StringRef name, Value value) {
  Value shown = shownValue(value);
  bool isTile = isa<pl::TileType>(shown.getType());
  addWord(name,
          write(shown, isTile ? Wanted::Tile : Wanted::Scalar, Strength::Any));
}

void CallText::addAsIs(StringRef name, Value value) {
  addWord(name, write(shownValue(value), Wanted::Value, Strength::Any));
}

void CallText::add(StringRef name, ValueRange values) {
  std::string list;
  for (Value value : values)
    list += (list.empty() ? "" : ", ") +
            write(value, Wanted::Scalar, Strength::Any);
  addWord(name, "[" + list + "]");
}

void CallText::add(StringRef name, int64_t number) {
  addWord(name, std::to_string(number));
}

void CallText::add(StringRef name, Type dtype) {
  addWord(name, writeDtype(dtype));
}

void CallText::add(StringRef name, StringRef text) {
  std::string quoted = "\"";
  for (char c : text)
    quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  addWord(name, quoted + "\"");
}

void CallText::add(StringRef name, pl::PeerUse use) {
  add(name, pl::stringifyPeerUse(use));
}

void CallText::add(StringRef name, pl::Precision precision) {
  add(name, pl::stringifyPrecision(precision));
}

void CallText::add(StringRef name, pl::NotifyKind kind) {
  addWord(name, kind == pl::NotifyKind::Add
                    ? "pl.distributed.NotifyOp.AtomicAdd"
                    : "pl.distributed.NotifyOp.Set");
}

void CallText::add(StringRef name, pl::WaitKind kind) {
  addWord(name, kind == pl::WaitKind::Equal ? "pl.distributed.WaitCmp.Eq"
                                            : "pl.distributed.WaitCmp.Ge");
}

/// True if `axis` is the last of the source, the one before it, and so on.
template <typename Op>
static bool isFromEnd(Op op, uint64_t axis, size_t distance) {
  return axis + distance == pl::getDims(op.getSource().getType()).size();
}

/// True for rows of one element each, which `pl.arange` would count through.
static bool isColumn(pl::ArangeOp op) {
  ArrayRef<pl::Dim> dims = op.getResult().getType().getDims();
  return dims.back().isExactly(1) &&
         !llvm::all_of(dims, [](pl::Dim dim) { return dim.isExactly(1); });
}

/// Writes an op; false if it is another one.
using CallWriter = bool (*)(Operation *op, CallText &call);

#include "tegula/frontend/unparse/Calls.cpp.inc"

std::optional<std::string> ExpressionWriter::call(Operation *op) {
  CallText text(write);
  for (CallWriter writeCall : callWriters)
    if (writeCall(op, text))
      return text.finish();
  return std::nullopt;
}
